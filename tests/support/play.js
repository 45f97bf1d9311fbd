// Plays a seat on the page of a match as a person does: by clicks on parts of the scene, by keys, and from the list.
//
// `seed` makes the choices repeatable. `decisions`: return after so many; else when the match has ended. After
// `random` decisions it takes the last action of the list most times, which ends a turn or does the least in most games.
async ({ seed, random, decisions }) => {
  let state = seed;
  const below = (limit) => {
    // A linear congruential generator (Numerical Recipes).
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  const one = (elements) => elements[below(elements.length)];
  const turn = () => document.querySelector('.table')?.dataset.turn;
  /** Whether an action was submitted and the list that follows it has not come yet. */
  const busy = () => document.querySelector('.actions[aria-busy="true"]') !== null;
  const over = () => document.querySelector('.table[data-over]') !== null;

  function clickScene(choosable, svg) {
    const box = svg.getBoundingClientRect();
    const at = { clientX: box.x + (below(1000) / 1000) * box.width, clientY: box.y + (below(1000) / 1000) * box.height };
    const part = choosable.length > 0 ? one(choosable) : svg;
    if (choosable.length > 0 && below(3) === 0) {
      part.focus();
      part.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    } else {
      part.dispatchEvent(new MouseEvent('click', { bubbles: true, ...at }));
    }
  }

  /** Takes one step towards a decision. */
  function choose(made) {
    const next = all('.next button:not(.quiet)');
    const list = all('.actions li button');
    const choosable = all('.holder .choosable');
    const placing = document.querySelector('.holder.placing svg');
    if (next.length > 0 && below(2) === 0) {
      one(next).click();
    } else if (document.querySelector('.next') === null && made >= random && below(8) > 0) {
      list.at(-1).click();
    } else if ((choosable.length > 0 || placing) && (document.querySelector('.next') !== null || below(3) > 0)) {
      clickScene(choosable, document.querySelector('.holder svg'));
    } else {
      one(next.length > 0 ? next : list).click();
    }
  }

  /** Waits until the own seat is to act or the match has ended. */
  async function waitForTurn() {
    while ((turn() === undefined || busy()) && !over()) {
      await new Promise((resolve) => {
        const observer = new MutationObserver(() => (observer.disconnect(), resolve()));
        observer.observe(document.querySelector('main'), {
          subtree: true,
          attributes: true,
          attributeFilter: ['data-turn', 'data-over', 'aria-busy'],
        });
      });
    }
  }

  await waitForTurn();
  for (let made = 0; made < (decisions ?? Infinity) && !over(); made += 1) {
    const before = turn();
    for (let steps = 0; turn() === before && !busy(); steps += 1) {
      if (steps === 100) {
        throw new Error(`no action was taken: ${document.querySelector('main').innerText}`);
      }
      choose(made);
      // The page draws what was chosen before this goes on.
      await new Promise((resolve) => setTimeout(resolve));
    }
    await waitForTurn();
  }
  return over();
};
