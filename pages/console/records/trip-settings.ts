import { html, type TemplateResult } from 'lit';

import { choiceField, type Fields, textField } from '../browser/form.ts';
import { t } from '../browser/texts.ts';

/** Settings that decide where trips begin and end; null for those that are unset. */
export interface TripSettings extends Readonly<Record<NumberName, number | null>> {
  readonly reporter: string | null;
  readonly ignition_trusted: boolean | null;
}

/** Selection of {@link TripSettings}. */
export const TRIP_SETTINGS_FIELDS = `trip_settings {
  reporter stop_seconds gap_seconds ignition_off_seconds movement_meters minimum_meters minimum_seconds maximum_kmh
  ignition_trusted accuracy_meters
}`;

type NumberName = keyof typeof t.tripSettings.numbers;

/** Limits and defaults of the settings that are numbers; the default of `gap_seconds` depends on the device. */
const NUMBERS: Readonly<Record<NumberName, readonly [minimum: number, maximum: number, usual: number]>> = {
  stop_seconds: [30, 86_400, 300],
  gap_seconds: [30, 86_400, 900],
  ignition_off_seconds: [0, 86_400, 60],
  movement_meters: [1, 1000, 75],
  minimum_meters: [0, 10_000, 200],
  minimum_seconds: [0, 86_400, 60],
  maximum_kmh: [50, 100_000, 300],
  accuracy_meters: [1, 100_000, 200],
};

/** Draws the fields of the settings. An empty one keeps its default. */
export function tripSettingsFields(settings: TripSettings | null): TemplateResult {
  const { reporter, reporters, numbers, usually, ignition, ignitions } = t.tripSettings;
  return html`
    ${choiceField({ name: 'reporter', label: reporter, value: settings?.reporter ?? '' }, Object.entries(reporters))}
    ${(Object.keys(NUMBERS) as NumberName[]).map((name) => {
      const [minimum, maximum, usual] = NUMBERS[name];
      const hint = usually(usual, minimum, maximum);
      return textField({ name, label: numbers[name], type: 'number', value: String(settings?.[name] ?? ''), hint });
    })}
    ${choiceField(
      { name: 'ignition_trusted', label: ignition, value: String(settings?.ignition_trusted ?? '') },
      Object.entries(ignitions),
    )}`;
}

/** The settings of a form with {@link tripSettingsFields}. */
export function tripSettingsOf(fields: Fields): TripSettings {
  const { reporter, ignition_trusted: trusted } = fields;
  const numbers = Object.keys(NUMBERS).map((name) => [name, fields[name] ? Number(fields[name]) : null]);
  return {
    ...(Object.fromEntries(numbers) as Record<NumberName, number | null>),
    reporter: reporter || null,
    ignition_trusted: trusted ? trusted === 'true' : null,
  };
}
