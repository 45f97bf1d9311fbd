/** Makes svelte-check and vite read the same options; all are the defaults. */
export default {};
