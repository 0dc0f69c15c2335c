import type { Texts } from './en.ts';

/** Texts of the console in German. */
export const de: Texts = {
  pages: {
    vehicles: 'Fahrzeuge',
    'add-vehicle': 'Fahrzeug hinzufügen',
    vehicle: 'Fahrzeug',
    trip: 'Fahrt',
    apps: 'Apps',
    security: 'Sicherheit',
  },
  navigation: 'Seiten',
  skip: 'Zum Inhalt',
  signOut: 'Abmelden',
  needsScript: 'Diese Seite braucht JavaScript.',
  loading: 'Wird geladen …',
  close: 'Schließen',
  cancel: 'Abbrechen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  more: 'Mehr anzeigen',
  failed: (reason) => `Das hat nicht funktioniert. ${reason}`,
  unreachable: 'Der Dienst ist nicht erreichbar. Bitte prüfen Sie die Verbindung und versuchen Sie es noch einmal.',
  tryAgain: 'Noch einmal versuchen',
  passwordNeeded: 'Dafür brauchen wir Ihr Passwort: Die letzte Eingabe ist mehr als 15 Minuten her.',
  signInAgain: 'Neu anmelden',
  request: {
    open: 'Als GraphQL / REST zeigen',
    lead: 'Die letzte Anfrage dieser Seite. Ihre Programme können sie mit einem API-Schlüssel senden.',
    noRest: 'REST hat für diese Anfrage keinen Pfad.',
  },
};
