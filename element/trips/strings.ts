/** Every word that the component says. `{…}` is filled in. */
export interface Strings {
  readonly map: string;
  readonly loading: string;
  readonly empty: string;
  readonly emptyHint: string;
  readonly error: string;
  readonly mapError: string;
  readonly retry: string;
  readonly wake: string;
  readonly signIn: string;
  readonly signInHint: string;
  readonly start: string;
  readonly stop: string;
  readonly end: string;
  readonly departed: string;
  readonly arrived: string;
  readonly stayed: string;
  readonly close: string;
  readonly findingAddress: string;
  readonly noAddress: string;
  readonly leftOut: string;
  readonly oneTrip: string;
  readonly trips: string;
  readonly tripList: string;
  readonly allTrips: string;
  readonly speed: string;
  readonly replay: string;
  readonly noReplay: string;
  readonly play: string;
  readonly pause: string;
  readonly moment: string;
  readonly rate: string;
  readonly follow: string;
  readonly stopped: string;
  readonly gap: string;
  readonly unknown: string;
}

const ENGLISH: Strings = {
  map: 'Trip map',
  loading: 'Loading trips…',
  empty: 'No trips here',
  emptyHint: 'There are no trips in this period.',
  error: 'The trips could not be loaded',
  mapError: 'The map could not be shown',
  retry: 'Try again',
  wake: 'Use this map',
  signIn: 'Please sign in again',
  signInHint: 'Access to this map has ended.',
  start: 'Start',
  stop: 'Stop',
  end: 'End',
  departed: 'Departed',
  arrived: 'Arrived',
  stayed: 'Stayed',
  close: 'Close',
  findingAddress: 'Looking up the address…',
  noAddress: 'No address found',
  leftOut: '{count} trips have no room on this image',
  oneTrip: '1 trip',
  trips: '{count} trips',
  tripList: 'Trips',
  allTrips: 'All trips',
  speed: 'Speed',
  replay: 'Replay',
  noReplay: 'Nothing to replay',
  play: 'Play',
  pause: 'Pause',
  moment: 'Moment',
  rate: 'Rate',
  follow: 'Follow the vehicle',
  stopped: 'Stopped',
  gap: 'No positions',
  unknown: 'Not known',
};

const STRINGS: Record<string, Strings> = {
  en: ENGLISH,
  de: {
    map: 'Fahrtenkarte',
    loading: 'Fahrten werden geladen…',
    empty: 'Keine Fahrten',
    emptyHint: 'In diesem Zeitraum gibt es keine Fahrten.',
    error: 'Die Fahrten konnten nicht geladen werden',
    mapError: 'Die Karte konnte nicht angezeigt werden',
    retry: 'Erneut versuchen',
    wake: 'Diese Karte benutzen',
    signIn: 'Bitte erneut anmelden',
    signInHint: 'Der Zugriff auf diese Karte ist abgelaufen.',
    start: 'Start',
    stop: 'Halt',
    end: 'Ziel',
    departed: 'Abfahrt',
    arrived: 'Ankunft',
    stayed: 'Dauer',
    close: 'Schließen',
    findingAddress: 'Adresse wird gesucht…',
    noAddress: 'Keine Adresse gefunden',
    leftOut: '{count} Fahrten passen nicht auf dieses Bild',
    oneTrip: '1 Fahrt',
    trips: '{count} Fahrten',
    tripList: 'Fahrten',
    allTrips: 'Alle Fahrten',
    speed: 'Geschwindigkeit',
    replay: 'Wiedergabe',
    noReplay: 'Keine Wiedergabe möglich',
    play: 'Abspielen',
    pause: 'Anhalten',
    moment: 'Zeitpunkt',
    rate: 'Tempo',
    follow: 'Fahrzeug folgen',
    stopped: 'Steht',
    gap: 'Keine Positionen',
    unknown: 'Unbekannt',
  },
  pt: {
    map: 'Mapa de viagens',
    loading: 'Carregando viagens…',
    empty: 'Nenhuma viagem',
    emptyHint: 'Não há viagens neste período.',
    error: 'Não foi possível carregar as viagens',
    mapError: 'Não foi possível mostrar o mapa',
    retry: 'Tentar novamente',
    wake: 'Usar este mapa',
    signIn: 'Entre novamente',
    signInHint: 'O acesso a este mapa terminou.',
    start: 'Partida',
    stop: 'Parada',
    end: 'Chegada',
    departed: 'Saída',
    arrived: 'Chegada',
    stayed: 'Duração',
    close: 'Fechar',
    findingAddress: 'Procurando o endereço…',
    noAddress: 'Endereço não encontrado',
    leftOut: '{count} viagens não cabem nesta imagem',
    oneTrip: '1 viagem',
    trips: '{count} viagens',
    tripList: 'Viagens',
    allTrips: 'Todas as viagens',
    speed: 'Velocidade',
    replay: 'Reprodução',
    noReplay: 'Nada para reproduzir',
    play: 'Reproduzir',
    pause: 'Pausar',
    moment: 'Momento',
    rate: 'Ritmo',
    follow: 'Seguir o veículo',
    stopped: 'Parado',
    gap: 'Sem posições',
    unknown: 'Desconhecida',
  },
  es: {
    map: 'Mapa de viajes',
    loading: 'Cargando viajes…',
    empty: 'Ningún viaje',
    emptyHint: 'No hay viajes en este período.',
    error: 'No se pudieron cargar los viajes',
    mapError: 'No se pudo mostrar el mapa',
    retry: 'Reintentar',
    wake: 'Usar este mapa',
    signIn: 'Inicie sesión de nuevo',
    signInHint: 'El acceso a este mapa ha terminado.',
    start: 'Salida',
    stop: 'Parada',
    end: 'Llegada',
    departed: 'Salida',
    arrived: 'Llegada',
    stayed: 'Duración',
    close: 'Cerrar',
    findingAddress: 'Buscando la dirección…',
    noAddress: 'Dirección no encontrada',
    leftOut: '{count} viajes no caben en esta imagen',
    oneTrip: '1 viaje',
    trips: '{count} viajes',
    tripList: 'Viajes',
    allTrips: 'Todos los viajes',
    speed: 'Velocidad',
    replay: 'Reproducción',
    noReplay: 'Nada que reproducir',
    play: 'Reproducir',
    pause: 'Pausar',
    moment: 'Momento',
    rate: 'Ritmo',
    follow: 'Seguir el vehículo',
    stopped: 'Detenido',
    gap: 'Sin posiciones',
    unknown: 'Desconocida',
  },
};

/** The words in the language of a BCP 47 tag, English where the component does not speak it. */
export function stringsFor(locale: string): Strings {
  return STRINGS[locale.split('-')[0]?.toLowerCase() ?? ''] ?? ENGLISH;
}
