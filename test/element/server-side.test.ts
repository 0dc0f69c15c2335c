import { expect, test } from 'vitest';

import { ServiceTripsMap } from '../../element/service-trips-map.ts';

test('can be imported where there is no document', async () => {
  expect('document' in globalThis).toBe(false);
  await expect(import('../../element/service-web-components.ts')).resolves.toBeDefined();
});

test('can be made and rendered there', () => {
  const element = new ServiceTripsMap();
  Object.assign(element, { vehicleKey: 'vehicle-1', tripList: true, replay: true, colorBy: 'speed' });
  const template = (element as unknown as { render(): { strings: string[] } }).render();
  expect(template.strings.join('')).toContain('role="region"');
});
