// Short soft sounds, made as they are heard.
import { preferences } from './preferences.svelte';

export type Sound = 'slide' | 'flip' | 'chip' | 'trick' | 'turn' | 'end';

let context: AudioContext | undefined;
let noise: AudioBuffer | undefined;

function audio(): AudioContext | undefined {
  if (!('AudioContext' in globalThis)) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume().catch(() => {});
  return context;
}

function envelope(to: AudioContext, at: number, peak: number, rise: number, fall: number): GainNode {
  const gain = to.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(peak, at + rise);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + rise + fall);
  gain.connect(to.destination);
  return gain;
}

function rustle(to: AudioContext, at: number, from: number, until: number, seconds: number, peak: number): void {
  if (!noise) {
    noise = to.createBuffer(1, to.sampleRate / 2, to.sampleRate);
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  }
  const source = to.createBufferSource();
  source.buffer = noise;
  const band = to.createBiquadFilter();
  band.type = 'bandpass';
  band.Q.value = 0.9;
  band.frequency.setValueAtTime(from, at);
  band.frequency.exponentialRampToValueAtTime(until, at + seconds);
  source.connect(band).connect(envelope(to, at, peak, seconds * 0.25, seconds * 0.75));
  source.start(at);
  source.stop(at + seconds + 0.05);
}

function tone(to: AudioContext, at: number, pitch: number, seconds: number, peak: number, type: OscillatorType = 'sine'): void {
  const source = to.createOscillator();
  source.type = type;
  source.frequency.value = pitch;
  source.connect(envelope(to, at, peak, 0.01, seconds));
  source.start(at);
  source.stop(at + seconds + 0.05);
}

const PLAYED: Record<Sound, (to: AudioContext, at: number) => void> = {
  slide: (to, at) => rustle(to, at, 1800, 900, 0.16, 0.09),
  flip: (to, at) => {
    rustle(to, at, 900, 3200, 0.07, 0.1);
    rustle(to, at + 0.06, 2600, 1200, 0.06, 0.08);
  },
  chip: (to, at) => {
    tone(to, at, 1900, 0.07, 0.05, 'triangle');
    tone(to, at + 0.03, 2600, 0.09, 0.035, 'triangle');
  },
  trick: (to, at) => {
    rustle(to, at, 700, 1600, 0.2, 0.08);
    tone(to, at + 0.1, 392, 0.18, 0.05);
    tone(to, at + 0.18, 523, 0.22, 0.05);
  },
  turn: (to, at) => {
    tone(to, at, 659, 0.16, 0.06);
    tone(to, at + 0.12, 880, 0.3, 0.06);
  },
  end: (to, at) => [392, 523, 659, 784].forEach((pitch, i) => tone(to, at + i * 0.12, pitch, 0.5, 0.05)),
};

export function sound(name: Sound): void {
  if (!preferences.sound) return;
  const to = audio();
  if (to) PLAYED[name](to, to.currentTime + 0.005);
}
