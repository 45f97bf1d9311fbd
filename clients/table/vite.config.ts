import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  build: {
    // Where the service finds the page, in a source tree as in a wheel.
    outDir: '../../engine_service/web/page',
    emptyOutDir: true,
    // The content security policy of the page has no room for data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
  },
});
