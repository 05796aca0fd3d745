// The sky over the town: what it looks like at an hour, and the skyline far behind.

export interface Sky {
  name: 'night' | 'dawn' | 'day' | 'dusk';
  /** From the zenith to the horizon. */
  colours: [string, string, string];
  far: string;
  near: string;
  /** How much of the stars is seen, and how many windows are lit: 0 to 1. */
  stars: number;
  lights: number;
}

const SKIES: Record<Sky['name'], { light: Sky['colours']; dark: Sky['colours']; far: string; near: string }> = {
  night: { light: ['#1b2350', '#31407c', '#5d6aa6'], dark: ['#0a0e22', '#141b3c', '#27315f'], far: '#3a4680', near: '#252f5e' },
  dawn: { light: ['#8fb3e0', '#f6cfc0', '#ffe3b3'], dark: ['#23305a', '#6a4a6d', '#a5706c'], far: '#a58fb0', near: '#7d6f96' },
  day: { light: ['#6fb7ec', '#a9d8f5', '#e4f4fb'], dark: ['#16304f', '#27507a', '#437096'], far: '#93b9d3', near: '#7199b8' },
  dusk: { light: ['#4a4f8f', '#d4737f', '#ffb877'], dark: ['#181b42', '#56335f', '#a3584f'], far: '#7a5585', near: '#54406f' },
};

/** The sky at an hour of the day, 0 to 24. */
export function skyAt(hour: number, isDark: boolean): Sky {
  const name = hour < 5 || hour >= 20.5 ? 'night' : hour < 8 ? 'dawn' : hour < 17 ? 'day' : 'dusk';
  const { light, dark, far, near } = SKIES[name];
  const stars = { night: 1, dawn: 0.15, day: 0, dusk: 0.4 }[name];
  const lights = { night: 0.6, dawn: 0.25, day: 0, dusk: 0.45 }[name];
  return { name, colours: isDark ? dark : light, far, near, stars, lights };
}

/** Where the sun (by day) or the moon stands: across from 0 to 1, and its height from 0 to 1. */
export function lightAt(hour: number): { isSun: boolean; across: number; height: number } {
  const isSun = hour >= 5 && hour < 20.5;
  const across = isSun ? (hour - 5) / 15.5 : ((hour + 24 - 20.5) % 24) / 8.5;
  return { isSun, across, height: Math.sin(Math.PI * across) };
}

/** Numbers from 0 to 1 that are the same every time. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface Skyline {
  path: string;
  windows: { x: number; y: number; order: number }[];
}

/** Roofs from left to right, at most so high, standing on y = 0 (up is negative). */
export function skyline(seed: number, width: number, highest: number): Skyline {
  const next = numbers(seed);
  let path = 'M0 0';
  const windows: Skyline['windows'] = [];
  for (let x = 0; x < width; ) {
    const wide = 26 + next() * 44;
    const high = highest * (0.35 + 0.65 * next());
    const [left, right, top] = [x.toFixed(1), (x + wide).toFixed(1), (-high).toFixed(1)];
    const middle = (x + wide / 2).toFixed(1);
    const roof = next();
    if (roof < 0.35) path += `L${left} ${top}L${middle} ${(-high - wide * 0.4).toFixed(1)}L${right} ${top}`;
    else if (roof < 0.5) path += `L${left} ${top}Q${middle} ${(-high - wide * 0.7).toFixed(1)} ${right} ${top}`;
    else if (roof < 0.62) path += `L${left} ${top}H${middle}v-${(highest * 0.3).toFixed(1)}h2V${top}H${right}`;
    else path += `L${left} ${top}H${right}`;
    for (let y = 10; y < high - 8; y += 13) {
      for (let along = 8; along < wide - 9; along += 12) windows.push({ x: x + along, y: -high + y, order: next() });
    }
    path += `V0`;
    x += wide;
  }
  return { path: `${path}Z`, windows };
}
