// Tells somebody who looks elsewhere that it is their turn: by the title, the favicon and, where allowed, a notification.
import { preferences } from './preferences.svelte';

const TOWN = 'Cardtown';
let name = '';
let isTurn = false;
let turnWords = '';
let toldFor: string | undefined;

function show(): void {
  document.title = [isTurn ? `● ${turnWords}` : '', name, TOWN].filter(Boolean).join(' · ');
  document.querySelector('#favicon')?.setAttribute('href', isTurn ? '/icon-turn.svg' : '/icon.svg');
}

/** The page's name, in the title. */
export function pageTitle(text: string): void {
  name = text;
  show();
}

/** Is it my turn? `words` say so; `of` names the decision, so that each is told once. */
export function myTurn(is: boolean, words = '', of = ''): void {
  isTurn = is;
  turnWords = words;
  show();
  if (!is) toldFor = undefined;
  else if (toldFor !== of) {
    toldFor = of;
    if (document.visibilityState === 'hidden') void tell(words);
  }
}

async function tell(words: string): Promise<void> {
  if (!preferences.notify || !('Notification' in globalThis) || Notification.permission !== 'granted') return;
  const title = [name, TOWN].filter(Boolean).join(' · ');
  const what = { body: words, icon: '/icon.svg', tag: location.pathname, data: location.pathname };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) await worker.showNotification(title, what);
  else new Notification(title, what);
}

export function canNotify(): boolean {
  return 'Notification' in globalThis && Notification.permission !== 'denied';
}

/** Ask the browser whether notifications are allowed; must follow a touch. */
export async function allowNotifications(): Promise<boolean> {
  if (!('Notification' in globalThis)) return false;
  return (await Notification.requestPermission()) === 'granted';
}
