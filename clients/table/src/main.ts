import { mount } from 'svelte';

import './app.css';
import App from './App.svelte';
import { applyPreferences } from './preferences.svelte.ts';

applyPreferences();
mount(App, { target: document.getElementById('page-root')! });
