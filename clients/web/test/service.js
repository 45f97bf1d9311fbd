/** A service in a process of its own, which can be killed and started again at the same ports. */

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const python = process.env.OMNILUDE_PYTHON;
if (python === undefined) {
  throw new Error('set OMNILUDE_PYTHON to the Python that has the service; `python -m tools.web_client test` does');
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export class Service {
  static async start() {
    const service = new Service();
    service.folder = await mkdtemp(path.join(tmpdir(), 'omnilude-web-'));
    service.port = await freePort();
    service.url = `http://127.0.0.1:${service.port}`;
    await service.run();
    return service;
  }

  async run() {
    const database = path.join(this.folder, 'matches.sqlite3');
    const flags = ['--server.port', '0', '--metrics.enabled', 'false', '--packs.only', 'ominoes', '--log.level', 'warning'];
    this.process = spawn(
      python,
      ['-m', 'engine_service', ...flags, '--http.port', String(this.port), '--store.path', database],
      { stdio: ['ignore', 'pipe', 'inherit'], cwd: this.folder },
    );
    this.ended = new Promise((resolve) => this.process.once('exit', resolve));
    const lines = createInterface(this.process.stdout);
    await Promise.race([
      new Promise((resolve) => lines.on('line', (line) => line.startsWith('for browsers') && resolve())),
      this.ended.then(() => Promise.reject(new Error('the service did not start'))),
    ]);
  }

  async kill() {
    this.process.kill('SIGKILL');
    await this.ended;
  }

  async stop() {
    await this.kill();
    await rm(this.folder, { recursive: true });
  }
}
