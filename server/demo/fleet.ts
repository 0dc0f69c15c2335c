import type { Place } from './streets.ts';

/** A group of the demonstration. */
export interface DemoGroup {
  readonly name: string;
  /** Name of the group above it; null directly under the account. */
  readonly parent: string | null;
}

/** A vehicle of the demonstration, and how it is used. */
export interface DemoCar {
  readonly nickname: string;
  readonly group: string;
  readonly serial: string;
  readonly make: string;
  readonly model: string;
  readonly year: number;
  /** Ways that it goes, one after the other; each begins where the one before ended. */
  readonly tours: readonly (readonly Place[])[];
  /** Hour of the day (UTC) at which it sets out. */
  readonly firstHour: number;
  readonly toursADay: number;
  readonly onWeekends: boolean;
}

/** The groups of the demonstration, those above before those below. */
export const DEMO_GROUPS: readonly DemoGroup[] = [
  { name: 'Berlin', parent: null },
  { name: 'Couriers', parent: 'Berlin' },
  { name: 'Field service', parent: 'Berlin' },
  { name: 'Airport shuttle', parent: null },
];

/** The group to which the demonstration's second user is restricted. */
export const RESTRICTED_GROUP = 'Couriers';

/** The vehicles of the demonstration; each says in its name that it is simulated. */
export const DEMO_FLEET: readonly DemoCar[] = [
  {
    nickname: 'Courier 1 (simulated)',
    group: 'Couriers',
    serial: 'DEMO-1001',
    make: 'Volkswagen',
    model: 'Caddy',
    year: 2023,
    tours: [
      ['Alexanderplatz', 'Strausberger Platz', 'Frankfurter Tor', 'Lichtenberg'],
      ['Lichtenberg', 'Frankfurter Tor', 'Strausberger Platz', 'Alexanderplatz', 'Spittelmarkt', 'Potsdamer Platz'],
      ['Potsdamer Platz', 'Brandenburger Tor', 'Siegessäule', 'Ernst-Reuter-Platz', 'Theodor-Heuss-Platz'],
      [
        'Theodor-Heuss-Platz',
        'Ernst-Reuter-Platz',
        'Siegessäule',
        'Hauptbahnhof',
        'Rosa-Luxemburg-Platz',
        'Prenzlauer Tor',
        'Alexanderplatz',
      ],
    ],
    firstHour: 6,
    toursADay: 4,
    onWeekends: true,
  },
  {
    nickname: 'Courier 2 (simulated)',
    group: 'Couriers',
    serial: 'DEMO-1002',
    make: 'Renault',
    model: 'Kangoo',
    year: 2022,
    tours: [
      ['Hermannplatz', 'Kottbusser Tor', 'Moritzplatz', 'Spittelmarkt', 'Alexanderplatz'],
      ['Alexanderplatz', 'Prenzlauer Tor', 'Rosa-Luxemburg-Platz', 'Eberswalder Straße', 'Pankow'],
      ['Pankow', 'Eberswalder Straße', 'Rosa-Luxemburg-Platz', 'Prenzlauer Tor', 'Heinersdorf'],
      [
        'Heinersdorf',
        'Prenzlauer Tor',
        'Alexanderplatz',
        'Spittelmarkt',
        'Moritzplatz',
        'Hallesches Tor',
        'Mehringdamm',
        'Hermannplatz',
      ],
    ],
    firstHour: 7,
    toursADay: 4,
    onWeekends: false,
  },
  {
    nickname: 'Service van (simulated)',
    group: 'Field service',
    serial: 'DEMO-1003',
    make: 'Ford',
    model: 'Transit',
    year: 2021,
    tours: [
      ['Rathaus Steglitz', 'Innsbrucker Platz', 'Kleistpark', 'Potsdamer Platz'],
      ['Potsdamer Platz', 'Kleistpark', 'Nollendorfplatz', 'Breitscheidplatz', 'Adenauerplatz'],
      ['Adenauerplatz', 'Rathenauplatz', 'Innsbrucker Platz', 'Tempelhof', 'Alt-Mariendorf'],
      ['Alt-Mariendorf', 'Tempelhof', 'Innsbrucker Platz', 'Rathaus Steglitz'],
    ],
    firstHour: 6,
    toursADay: 3,
    onWeekends: false,
  },
  {
    nickname: 'Airport shuttle (simulated)',
    group: 'Airport shuttle',
    serial: 'DEMO-1004',
    make: 'Mercedes-Benz',
    model: 'V-Class',
    year: 2024,
    tours: [
      [
        'Breitscheidplatz',
        'Nollendorfplatz',
        'Mehringdamm',
        'Platz der Luftbrücke',
        'Tempelhof',
        'Dreieck Neukölln',
        'Adlershof',
        'Airport BER',
      ],
      [
        'Airport BER',
        'Adlershof',
        'Dreieck Neukölln',
        'Tempelhof',
        'Innsbrucker Platz',
        'Rathenauplatz',
        'Adenauerplatz',
        'Breitscheidplatz',
      ],
    ],
    firstHour: 5,
    toursADay: 4,
    onWeekends: true,
  },
  {
    nickname: 'Pool car (simulated)',
    group: 'Berlin',
    serial: 'DEMO-1005',
    make: 'Opel',
    model: 'Corsa',
    year: 2020,
    tours: [
      ['Pichelsdorf', 'Theodor-Heuss-Platz', 'Dreieck Funkturm', 'Kreuz Zehlendorf', 'Potsdam Hauptbahnhof'],
      ['Potsdam Hauptbahnhof', 'Kreuz Zehlendorf', 'Dreieck Funkturm', 'Theodor-Heuss-Platz', 'Pichelsdorf'],
    ],
    firstHour: 8,
    toursADay: 2,
    onWeekends: true,
  },
];
