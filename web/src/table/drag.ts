// Dragging things with a finger or the mouse: what is dragged follows, and is dropped on what lies below.
import type { Play } from './play.svelte';

const FAR = 9;

/** The ids under a point, innermost first, without those of what is dragged. */
export function idsAt(x: number, y: number): string[] {
  const found: string[] = [];
  for (const element of document.elementsFromPoint(x, y)) {
    const ids = idsOf(element);
    if (ids.length > found.length) found.splice(0, found.length, ...ids);
    if (found.length) break;
  }
  return found;
}

/** The ids that an element stands for: a thing, its cell, its zone. */
export function idsOf(element: Element): string[] {
  const ids: string[] = [];
  for (const name of ['thing', 'cell', 'zone', 'button'] as const) {
    const id = element.closest<HTMLElement>(`[data-${name}]`)?.dataset[name];
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

/** Makes the things in an element draggable; the table knows what a drop means. */
export function dragging(root: HTMLElement, play: Play) {
  let start: { x: number; y: number; element: HTMLElement; ids: string[]; pointer: number } | null = null;
  let ghost: HTMLElement | null = null;

  function down(event: PointerEvent) {
    const element = (event.target as Element).closest<HTMLElement>('[data-thing]');
    if (!element || event.button !== 0 || !event.isPrimary) return;
    const ids = idsOf(element);
    if (!ids.some((id) => play.glows(id))) return;
    start = { x: event.clientX, y: event.clientY, element, ids, pointer: event.pointerId };
  }

  function move(event: PointerEvent) {
    if (!start || event.pointerId !== start.pointer) return;
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
    if (!ghost) {
      if (Math.hypot(dx, dy) < FAR) return;
      const rect = start.element.getBoundingClientRect();
      ghost = start.element.cloneNode(true) as HTMLElement;
      for (const name of ['data-thing', 'data-zone', 'id', 'tabindex', 'data-stop']) ghost.removeAttribute(name);
      ghost.setAttribute('aria-hidden', 'true');
      ghost.classList.add('dragged');
      Object.assign(ghost.style, { left: `${rect.x}px`, top: `${rect.y}px`, width: `${rect.width}px`, height: `${rect.height}px`, position: 'fixed', margin: '0', transform: 'none' });
      document.body.append(ghost);
      for (const name of getComputedStyle(root)) if (name.startsWith('--')) ghost.style.setProperty(name, getComputedStyle(root).getPropertyValue(name));
      start.element.classList.add('lifted');
      play.dragged = start.ids[0] ?? null;
      play.touched = [];
    }
    event.preventDefault();
    ghost.style.translate = `${dx}px ${dy}px`;
    for (const old of root.querySelectorAll('.below')) old.classList.remove('below');
    const over = document.elementsFromPoint(event.clientX, event.clientY).find((element) => idsOf(element).length && !ghost!.contains(element));
    over?.closest('[data-cell],[data-zone]')?.classList.add('below');
  }

  function up(event: PointerEvent) {
    if (!start || event.pointerId !== start.pointer) return;
    const from = start;
    const moved = ghost;
    end();
    if (!moved || event.type === 'pointercancel') return;
    const onTable = document.elementsFromPoint(event.clientX, event.clientY).some((element) => element.closest('.felt'));
    const isAway = Math.abs(event.clientY - from.y) > 40 || onTable;
    const hit = idsAt(event.clientX, event.clientY);
    play.dropped(from.ids, hit, onTable && isAway);
    addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener('click', swallow, { capture: true }), 50);
  }

  function swallow(event: Event) {
    event.stopPropagation();
    event.preventDefault();
  }

  function end() {
    ghost?.remove();
    start?.element.classList.remove('lifted');
    for (const old of root.querySelectorAll('.below')) old.classList.remove('below');
    ghost = start = null;
    play.dragged = null;
  }

  root.addEventListener('pointerdown', down);
  addEventListener('pointermove', move, { passive: false });
  addEventListener('pointerup', up);
  addEventListener('pointercancel', up);
  return {
    destroy() {
      end();
      root.removeEventListener('pointerdown', down);
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', up);
    },
  };
}
