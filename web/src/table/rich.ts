// A text cut into pieces, so that the cards and people it names can be drawn.
import type { Text } from '../wire';

export type Piece = { is: 'words'; words: string } | { is: 'face'; face: string } | { is: 'seat'; seat: number };

const OPEN = '\u0001';
const CLOSE = '\u0002';

/** The text with every named card and seat set apart by signs that no words contain. */
function marked(text: Text): Text {
  const args = Object.entries(text.args).map(([name, arg]): [string, Text['args'][string]] => {
    if (typeof arg !== 'object') return [name, arg];
    if (arg.is === 'text') return [name, marked(arg)];
    return [name, arg.is === 'face' ? `${OPEN}f${arg.face}${CLOSE}` : `${OPEN}s${arg.seat}${CLOSE}`];
  });
  return { ...text, args: Object.fromEntries(args) };
}

export function pieces(text: Text, say: (text: Text) => string): Piece[] {
  const found: Piece[] = [];
  for (const part of say(marked(text)).split(OPEN)) {
    const end = part.indexOf(CLOSE);
    if (end >= 0) {
      const name = part.slice(1, end);
      found.push(part[0] === 'f' ? { is: 'face', face: name } : { is: 'seat', seat: Number(name) });
    }
    const words = part.slice(end + 1);
    if (words) found.push({ is: 'words', words });
  }
  return found;
}
