// Which page is shown, by the address.
export type Page = 'town' | 'table' | 'review' | 'me';

const TABLE = /^\/t\/([^/]+)(\/review)?\/?$/;

export function read(path: string): { page: Page; table: string | null } {
  const table = TABLE.exec(path);
  if (table) return { page: table[2] ? 'review' : 'table', table: decodeURIComponent(table[1]!) };
  return { page: path === '/me' ? 'me' : 'town', table: null };
}

export const route: { page: Page; table: string | null } = $state(
  typeof location === 'undefined' ? { page: 'town', table: null } : read(location.pathname),
);

export function go(path: string): void {
  if (path !== location.pathname + location.search) history.pushState(null, '', path);
  Object.assign(route, read(new URL(path, location.href).pathname));
  scrollTo(0, 0);
}

/** For links: a plain click stays in the client, everything else is the browser's. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest('a');
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || link.target || link.hasAttribute('download') || event.defaultPrevented) return;
  const url = new URL(link.href, location.href);
  if (url.origin !== location.origin || !/^\/(t\/.*|me)?$/.test(url.pathname) || url.hash) return;
  event.preventDefault();
  go(url.pathname);
}

if (typeof addEventListener !== 'undefined') {
  addEventListener('popstate', () => Object.assign(route, read(location.pathname)));
}
