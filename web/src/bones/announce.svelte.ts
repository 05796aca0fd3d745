// What a screen reader says; App shows both regions where nobody sees them.
export const announced = $state({ calm: '', urgent: '' });

let waiting: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Say something once others have had their say; urgent things at once. */
export function announce(text: string, urgent = false): void {
  if (urgent) {
    announced.urgent = announced.urgent === text ? `${text}\u00a0` : text;
    return;
  }
  waiting.push(text);
  timer ??= setTimeout(() => {
    const next = waiting.join(' ');
    announced.calm = announced.calm === next ? `${next}\u00a0` : next;
    waiting = [];
    timer = undefined;
  }, 150);
}
