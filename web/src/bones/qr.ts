// QR codes of links: byte mode, error correction level M, versions 1 to 10 (up to 213 bytes).

/** Codewords of error correction per block, and the numbers of data codewords of the blocks, by version. */
const BLOCKS: [ecc: number, data: number[]][] = [
  [10, [16]],
  [16, [28]],
  [26, [44]],
  [18, [32, 32]],
  [24, [43, 43]],
  [16, [27, 27, 27, 27]],
  [18, [31, 31, 31, 31]],
  [22, [38, 38, 39, 39]],
  [22, [36, 36, 36, 37, 37]],
  [26, [43, 43, 43, 43, 44]],
];
const ALIGNED = [[], [18], [22], [26], [30], [34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

type Matrix = boolean[][];
const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

/** The dark modules of the code of a text; the mask is the one that cameras read best, unless it is given. */
export function qr(text: string, given?: number): Matrix {
  const bytes = [...new TextEncoder().encode(text)];
  const version = BLOCKS.findIndex(([, data], i) => sum(data) * 8 >= 4 + lengthBits(i + 1) + bytes.length * 8) + 1;
  if (!version) throw new RangeError('too long for a QR code');
  const words = interleaved(version, codewords(version, bytes));
  const { matrix, isFixed } = frame(version);
  place(matrix, isFixed, words);
  let best: Matrix | undefined;
  let least = Infinity;
  for (const mask of given === undefined ? MASKS.keys() : [given]) {
    const masked = matrix.map((row, y) => row.map((dark, x) => dark !== (!isFixed[y]![x] && MASKS[mask]!(x, y))));
    writeFormat(masked, mask);
    const found = penalty(masked);
    if (found < least) [best, least] = [masked, found];
  }
  return best!;
}

/** The dark modules as one path, in units of a module, with the quiet zone of four modules around it. */
export function qrPath(matrix: Matrix): string {
  return matrix.map((row, y) => row.map((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : '')).join('')).join('');
}

const lengthBits = (version: number) => (version < 10 ? 8 : 16);

function codewords(version: number, bytes: number[]): number[] {
  const capacity = sum(BLOCKS[version - 1]![1]);
  const bits: number[] = [];
  const push = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  push(0b0100, 4);
  push(bytes.length, lengthBits(version));
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, capacity * 8 - bits.length));
  push(0, -bits.length & 7);
  const words = Array.from({ length: bits.length / 8 }, (_, i) => parseInt(bits.slice(i * 8, i * 8 + 8).join(''), 2));
  for (let pad = 0xec; words.length < capacity; pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

function interleaved(version: number, words: number[]): number[] {
  const [ecc, sizes] = BLOCKS[version - 1]!;
  let start = 0;
  const data = sizes.map((size) => words.slice(start, (start += size)));
  const checks = data.map((block) => remainder(block, ecc));
  const columns = (blocks: number[][]) =>
    Array.from({ length: Math.max(...blocks.map((block) => block.length)) }, (_, i) =>
      blocks.flatMap((block) => (i < block.length ? [block[i]!] : [])),
    ).flat();
  return [...columns(data), ...columns(checks)];
}

/** Multiplication in the field of 256 elements modulo x⁸ + x⁴ + x³ + x² + 1. */
export function times(a: number, b: number): number {
  let product = 0;
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> i) & 1) * a;
  }
  return product;
}

function remainder(data: number[], degree: number): number[] {
  let generator = [1];
  for (let i = 0, root = 1; i < degree; i++, root = times(root, 2)) {
    const next = [...generator, 0];
    generator.forEach((factor, j) => (next[j + 1]! ^= times(factor, root)));
    generator = next;
  }
  const rest = [...data, ...Array<number>(degree).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const factor = rest[i]!;
    generator.forEach((each, j) => (rest[i + j]! ^= times(each, factor)));
  }
  return rest.slice(data.length);
}

function frame(version: number): { matrix: Matrix; isFixed: Matrix } {
  const size = 17 + 4 * version;
  const blank = () => Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const matrix = blank();
  const isFixed = blank();
  const set = (x: number, y: number, dark: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    matrix[y]![x] = dark;
    isFixed[y]![x] = true;
  };
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) {
    for (let dy = -4; dy <= 4; dy++) {
      for (let dx = -4; dx <= 4; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(cx + dx, cy + dy, ring !== 2 && ring !== 4);
      }
    }
  }
  const aligned = version < 2 ? [] : [...new Set([6, ...ALIGNED[version - 1]!])];
  for (const cy of aligned) {
    for (const cx of aligned) {
      if ((cx === 6 && cy === 6) || (cx === 6 && cy === size - 7) || (cx === size - 7 && cy === 6)) continue;
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
      }
    }
  }
  for (let i = 0; i < 9; i++) {
    for (const [x, y] of [[i, 8], [8, i], [size - 1 - i, 8], [8, size - 1 - i]] as const) {
      if (!isFixed[y]![x] && (i < 8 || (x < 9 && y < 9))) set(x, y, false);
    }
  }
  set(8, size - 8, true);
  if (version >= 7) {
    let rest = version;
    for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let i = 0; i < 18; i++) {
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
      set(a, b, ((bits >> i) & 1) === 1);
      set(b, a, ((bits >> i) & 1) === 1);
    }
  }
  return { matrix, isFixed };
}

/** Where the bits go: two columns at a time from the right, up and down, around what is fixed. */
export function places(isFixed: Matrix): [x: number, y: number][] {
  const size = isFixed.length;
  const found: [number, number][] = [];
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let i = 0; i < size; i++) {
      const y = up ? size - 1 - i : i;
      for (const x of [right, right - 1]) if (!isFixed[y]![x]) found.push([x, y]);
    }
  }
  return found;
}

function place(matrix: Matrix, isFixed: Matrix, words: number[]): void {
  places(isFixed).forEach(([x, y], i) => {
    matrix[y]![x] = (((words[i >> 3] ?? 0) >> (7 - (i & 7))) & 1) === 1;
  });
}

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function writeFormat(matrix: Matrix, mask: number): void {
  const size = matrix.length;
  let rest = mask; // level M is 00
  for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const bit = (i: number) => ((bits >> i) & 1) === 1;
  for (let i = 0; i < 15; i++) {
    matrix[i < 6 ? i : i < 8 ? i + 1 : size - 15 + i]![8] = bit(i);
    matrix[8]![i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i] = bit(i);
  }
}

function penalty(matrix: Matrix): number {
  const size = matrix.length;
  const columns = matrix.map((_, x) => matrix.map((row) => row[x]!));
  let found = 0;
  for (const line of [...matrix, ...columns]) {
    const text = line.map(Number).join('');
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) found += run.length - 2;
    for (let i = 0; i + 11 <= size; i++) if (/^(10111010000|00001011101)/.test(text.slice(i, i + 11))) found += 40;
  }
  for (let y = 1; y < size; y++) {
    for (let x = 1; x < size; x++) {
      const dark = matrix[y]![x];
      if (dark === matrix[y - 1]![x] && dark === matrix[y]![x - 1] && dark === matrix[y - 1]![x - 1]) found += 3;
    }
  }
  const share = sum(matrix.flat().map(Number)) / (size * size);
  return found + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}

export { frame as qrFrame, BLOCKS as QR_BLOCKS, MASKS as QR_MASKS };
