import { describe, expect, it } from 'vitest';
import { lightAt, skyAt, skyline } from './sky';

describe('the sky', () => {
  it('follows the hours', () => {
    expect([2, 6, 12, 18, 23].map((hour) => skyAt(hour, false).name)).toEqual(['night', 'dawn', 'day', 'dusk', 'night']);
  });

  it('always has one light on its way from left to right', () => {
    for (let hour = 0; hour < 24; hour += 0.25) {
      const { across, height } = lightAt(hour);
      expect(across).toBeGreaterThanOrEqual(0);
      expect(across).toBeLessThanOrEqual(1);
      expect(height).toBeGreaterThanOrEqual(0);
    }
  });

  it('has the same roofs every time', () => expect(skyline(3, 400, 90)).toEqual(skyline(3, 400, 90)));
});
