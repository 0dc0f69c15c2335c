/** A vehicle of the demonstration, and its use. */
export interface DemoCar {
  readonly nickname: string;
  readonly group: string;
  readonly serial: string;
  readonly type: { readonly make: string; readonly model: string; readonly year: number };
  /** Hour of the day (UTC) of the first tour, and number of tours a day. */
  readonly schedule: { readonly firstHour: number; readonly toursADay: number; readonly onWeekends: boolean };
  /** Tours in order, as the places on the way; each begins where the previous one ended. */
  readonly tours: readonly string[];
}

/** The groups of the demonstration, those above before those below, with the names of those above from the top. */
export const DEMO_GROUPS: readonly { readonly name: string; readonly above: readonly string[] }[] = [
  { name: 'Florence', above: [] },
  { name: 'Couriers', above: ['Florence'] },
  { name: 'Field service', above: ['Florence'] },
  { name: 'Airport shuttle', above: [] },
];

/** The group to which the demonstration's second user is restricted. */
export const RESTRICTED_GROUP = 'Couriers';

/** The vehicles of the demonstration; the name of each shows that it is simulated. */
export const DEMO_FLEET: readonly DemoCar[] = [
  {
    nickname: 'Courier 1 (simulated)',
    group: 'Couriers',
    serial: 'DEMO-1001',
    type: { make: 'Volkswagen', model: 'Caddy', year: 2023 },
    schedule: { firstHour: 6, toursADay: 4, onWeekends: true },
    tours: [
      'Santa Maria Novella, Fortezza da Basso, Piazza della Libertà, Beccaria, Gavinana',
      'Gavinana, Piazzale Michelangelo, Porta Romana, Galluzzo',
      'Galluzzo, Porta Romana, Isolotto, Porta al Prato',
      'Porta al Prato, Fortezza da Basso, Rifredi, Careggi, Fortezza da Basso, Santa Maria Novella',
    ],
  },
  {
    nickname: 'Courier 2 (simulated)',
    group: 'Couriers',
    serial: 'DEMO-1002',
    type: { make: 'Renault', model: 'Kangoo', year: 2022 },
    schedule: { firstHour: 7, toursADay: 4, onWeekends: false },
    tours: [
      'Campo di Marte, Le Cure, Piazza della Libertà, Fortezza da Basso, Rifredi',
      'Rifredi, Novoli, Isolotto, Porta al Prato',
      'Porta al Prato, Porta Romana, Piazzale Michelangelo, Gavinana, Firenze Sud',
      'Firenze Sud, Campo di Marte, Settignano, Campo di Marte',
    ],
  },
  {
    nickname: 'Service van (simulated)',
    group: 'Field service',
    serial: 'DEMO-1003',
    type: { make: 'Ford', model: 'Transit', year: 2021 },
    schedule: { firstHour: 6, toursADay: 3, onWeekends: false },
    tours: [
      'Novoli, Rifredi, Careggi',
      'Careggi, Fortezza da Basso, Piazza della Libertà, Le Cure, Campo di Marte',
      'Campo di Marte, Beccaria, Gavinana, Firenze Sud',
      'Firenze Sud, Gavinana, Piazzale Michelangelo, Porta Romana, Porta al Prato, Novoli',
    ],
  },
  {
    nickname: 'Airport shuttle (simulated)',
    group: 'Airport shuttle',
    serial: 'DEMO-1004',
    type: { make: 'Mercedes-Benz', model: 'V-Class', year: 2024 },
    schedule: { firstHour: 5, toursADay: 4, onWeekends: true },
    tours: [
      'Santa Maria Novella, Porta al Prato, Novoli, Aeroporto',
      'Aeroporto, Novoli, Porta al Prato, Santa Maria Novella',
    ],
  },
  {
    nickname: 'Pool car (simulated)',
    group: 'Florence',
    serial: 'DEMO-1005',
    type: { make: 'Opel', model: 'Corsa', year: 2020 },
    schedule: { firstHour: 8, toursADay: 2, onWeekends: true },
    tours: [
      'Settignano, Campo di Marte, Beccaria, Piazza della Libertà, Fortezza da Basso, Porta al Prato, Isolotto',
      'Isolotto, Novoli, Rifredi, Fortezza da Basso, Piazza della Libertà, Le Cure, Campo di Marte, Settignano',
    ],
  },
];
