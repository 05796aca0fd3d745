// Gives a text to the clipboard, or to whatever the device shares with.

/** Was it copied? Pages that are not served securely may not. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function canShare(): boolean {
  return 'share' in navigator && matchMedia('(pointer: coarse)').matches;
}

export async function share(title: string, url: string): Promise<void> {
  try {
    await navigator.share({ title, url });
  } catch {
    // somebody has thought better of it
  }
}

/** The address of a table, to be given to others. */
export function linkTo(table: string): string {
  return `${location.origin}/t/${encodeURIComponent(table)}`;
}

/** Does this page's address mean the machine itself, so that nobody elsewhere can follow its links? */
export function isOnlyHere(): boolean {
  return /^(localhost|127\.|\[::1\])/.test(location.hostname);
}
