// Starts the client.
import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import './fonts';
import { preferences } from './bones/preferences.svelte';
import { loadLanguage } from './bones/words.svelte';

await loadLanguage(preferences.language).catch(() => {});
mount(App, { target: document.querySelector('#app')! });

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  navigator.serviceWorker.register('/service-worker.js').catch(() => {});
}
