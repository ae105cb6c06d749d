/** The enumeration `time_zone`: names as in the Rails framework, each for an IANA zone (behaviour: Time zones). */
import { IANAZone } from 'luxon'

const ZONES = {
  'International Date Line West': 'Etc/GMT+12',
  'American Samoa': 'Pacific/Pago_Pago',
  'Midway Island': 'Pacific/Midway',
  Hawaii: 'Pacific/Honolulu',
  Alaska: 'America/Juneau',
  'Pacific Time (US & Canada)': 'America/Los_Angeles',
  Tijuana: 'America/Tijuana',
  Arizona: 'America/Phoenix',
  Mazatlan: 'America/Mazatlan',
  'Mountain Time (US & Canada)': 'America/Denver',
  'Central America': 'America/Guatemala',
  'Central Time (US & Canada)': 'America/Chicago',
  Chihuahua: 'America/Chihuahua',
  Guadalajara: 'America/Mexico_City',
  'Mexico City': 'America/Mexico_City',
  Monterrey: 'America/Monterrey',
  Saskatchewan: 'America/Regina',
  Bogota: 'America/Bogota',
  'Eastern Time (US & Canada)': 'America/New_York',
  'Indiana (East)': 'America/Indiana/Indianapolis',
  Lima: 'America/Lima',
  Quito: 'America/Lima',
  'Atlantic Time (Canada)': 'America/Halifax',
  Caracas: 'America/Caracas',
  Georgetown: 'America/Guyana',
  'La Paz': 'America/La_Paz',
  'Puerto Rico': 'America/Puerto_Rico',
  Santiago: 'America/Santiago',
  Newfoundland: 'America/St_Johns',
  Brasilia: 'America/Sao_Paulo',
  'Buenos Aires': 'America/Argentina/Buenos_Aires',
  Montevideo: 'America/Montevideo',
  Greenland: 'America/Godthab',
  'Mid-Atlantic': 'Atlantic/South_Georgia',
  Azores: 'Atlantic/Azores',
  'Cape Verde Is.': 'Atlantic/Cape_Verde',
  Edinburgh: 'Europe/London',
  Lisbon: 'Europe/Lisbon',
  London: 'Europe/London',
  Monrovia: 'Africa/Monrovia',
  UTC: 'Etc/UTC',
  Amsterdam: 'Europe/Amsterdam',
  Belgrade: 'Europe/Belgrade',
  Berlin: 'Europe/Berlin',
  Bern: 'Europe/Zurich',
  Bratislava: 'Europe/Bratislava',
  Brussels: 'Europe/Brussels',
  Budapest: 'Europe/Budapest',
  Casablanca: 'Africa/Casablanca',
  Copenhagen: 'Europe/Copenhagen',
  Dublin: 'Europe/Dublin',
  Ljubljana: 'Europe/Ljubljana',
  Madrid: 'Europe/Madrid',
  Paris: 'Europe/Paris',
  Prague: 'Europe/Prague',
  Rome: 'Europe/Rome',
  Sarajevo: 'Europe/Sarajevo',
  Skopje: 'Europe/Skopje',
  Stockholm: 'Europe/Stockholm',
  Vienna: 'Europe/Vienna',
  Warsaw: 'Europe/Warsaw',
  'West Central Africa': 'Africa/Algiers',
  Zagreb: 'Europe/Zagreb',
  Zurich: 'Europe/Zurich',
  Athens: 'Europe/Athens',
  Bucharest: 'Europe/Bucharest',
  Cairo: 'Africa/Cairo',
  Harare: 'Africa/Harare',
  Helsinki: 'Europe/Helsinki',
  Jerusalem: 'Asia/Jerusalem',
  Kaliningrad: 'Europe/Kaliningrad',
  Kyiv: 'Europe/Kiev',
  Pretoria: 'Africa/Johannesburg',
  Riga: 'Europe/Riga',
  Sofia: 'Europe/Sofia',
  Tallinn: 'Europe/Tallinn',
  Vilnius: 'Europe/Vilnius',
  Baghdad: 'Asia/Baghdad',
  Istanbul: 'Europe/Istanbul',
  Kuwait: 'Asia/Kuwait',
  Minsk: 'Europe/Minsk',
  Moscow: 'Europe/Moscow',
  Nairobi: 'Africa/Nairobi',
  Riyadh: 'Asia/Riyadh',
  'St. Petersburg': 'Europe/Moscow',
  Volgograd: 'Europe/Volgograd',
  Tehran: 'Asia/Tehran',
  'Abu Dhabi': 'Asia/Muscat',
  Baku: 'Asia/Baku',
  Muscat: 'Asia/Muscat',
  Samara: 'Europe/Samara',
  Tbilisi: 'Asia/Tbilisi',
  Yerevan: 'Asia/Yerevan',
  Kabul: 'Asia/Kabul',
  Ekaterinburg: 'Asia/Yekaterinburg',
  Islamabad: 'Asia/Karachi',
  Karachi: 'Asia/Karachi',
  Tashkent: 'Asia/Tashkent',
  Chennai: 'Asia/Kolkata',
  Kolkata: 'Asia/Kolkata',
  Mumbai: 'Asia/Kolkata',
  'New Delhi': 'Asia/Kolkata',
  'Sri Jayawardenepura': 'Asia/Colombo',
  Kathmandu: 'Asia/Kathmandu',
  Almaty: 'Asia/Almaty',
  Astana: 'Asia/Almaty',
  Dhaka: 'Asia/Dhaka',
  Urumqi: 'Asia/Urumqi',
  Rangoon: 'Asia/Rangoon',
  Bangkok: 'Asia/Bangkok',
  Hanoi: 'Asia/Bangkok',
  Jakarta: 'Asia/Jakarta',
  Krasnoyarsk: 'Asia/Krasnoyarsk',
  Novosibirsk: 'Asia/Novosibirsk',
  Beijing: 'Asia/Shanghai',
  Chongqing: 'Asia/Chongqing',
  'Hong Kong': 'Asia/Hong_Kong',
  Irkutsk: 'Asia/Irkutsk',
  'Kuala Lumpur': 'Asia/Kuala_Lumpur',
  Manila: 'Asia/Manila',
  Perth: 'Australia/Perth',
  Singapore: 'Asia/Singapore',
  Taipei: 'Asia/Taipei',
  Ulaanbaatar: 'Asia/Ulaanbaatar',
  Osaka: 'Asia/Tokyo',
  Sapporo: 'Asia/Tokyo',
  Seoul: 'Asia/Seoul',
  Tokyo: 'Asia/Tokyo',
  Yakutsk: 'Asia/Yakutsk',
  Adelaide: 'Australia/Adelaide',
  Darwin: 'Australia/Darwin',
  Brisbane: 'Australia/Brisbane',
  Canberra: 'Australia/Canberra',
  Guam: 'Pacific/Guam',
  Hobart: 'Australia/Hobart',
  Melbourne: 'Australia/Melbourne',
  'Port Moresby': 'Pacific/Port_Moresby',
  Sydney: 'Australia/Sydney',
  Vladivostok: 'Asia/Vladivostok',
  Magadan: 'Asia/Magadan',
  'New Caledonia': 'Pacific/Noumea',
  'Solomon Is.': 'Pacific/Guadalcanal',
  Srednekolymsk: 'Asia/Srednekolymsk',
  Auckland: 'Pacific/Auckland',
  Fiji: 'Pacific/Fiji',
  Kamchatka: 'Asia/Kamchatka',
  'Marshall Is.': 'Pacific/Majuro',
  Wellington: 'Pacific/Auckland',
  'Chatham Is.': 'Pacific/Chatham',
  "Nuku'alofa": 'Pacific/Tongatapu',
  Samoa: 'Pacific/Apia',
  'Tokelau Is.': 'Pacific/Fakaofo',
} as const

/** A value of the enumeration. */
export type TimeZoneName = keyof typeof ZONES

/** Other spellings of zones in the list, as the IANA database links them: browsers and operating systems send them. */
const LINKS: { readonly [Z in (typeof ZONES)[TimeZoneName]]?: string } = {
  'Pacific/Pago_Pago': 'Pacific/Samoa US/Samoa',
  'Pacific/Honolulu': 'Pacific/Johnston US/Hawaii HST',
  'America/Los_Angeles': 'US/Pacific',
  'America/Tijuana': 'America/Ensenada America/Santa_Isabel Mexico/BajaNorte',
  'America/Phoenix': 'US/Arizona',
  'America/Mazatlan': 'Mexico/BajaSur',
  'America/Denver': 'America/Shiprock Navajo US/Mountain',
  'America/Chicago': 'US/Central',
  'America/Mexico_City': 'Mexico/General',
  'America/Regina': 'Canada/Saskatchewan',
  'America/New_York': 'US/Eastern',
  'America/Indiana/Indianapolis': 'America/Fort_Wayne America/Indianapolis US/East-Indiana',
  'America/Halifax': 'Canada/Atlantic',
  'America/Santiago': 'Chile/Continental',
  'America/St_Johns': 'Canada/Newfoundland',
  'America/Sao_Paulo': 'Brazil/East',
  'America/Argentina/Buenos_Aires': 'America/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'Europe/London': 'Europe/Belfast GB GB-Eire',
  'Europe/Lisbon': 'Portugal',
  'Etc/UTC': 'Etc/GMT Etc/Greenwich Etc/UCT Etc/Universal Etc/Zulu GMT Greenwich UCT Universal Zulu',
  'Europe/Dublin': 'Eire',
  'Europe/Warsaw': 'Poland',
  'Africa/Cairo': 'Egypt',
  'Asia/Jerusalem': 'Asia/Tel_Aviv Israel',
  'Europe/Kiev': 'Europe/Kyiv Europe/Uzhgorod Europe/Zaporozhye',
  'Europe/Istanbul': 'Asia/Istanbul Turkey',
  'Europe/Moscow': 'W-SU',
  'Asia/Tehran': 'Iran',
  'Asia/Kolkata': 'Asia/Calcutta',
  'Asia/Kathmandu': 'Asia/Katmandu',
  'Asia/Dhaka': 'Asia/Dacca',
  'Asia/Urumqi': 'Asia/Kashgar',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Shanghai': 'Asia/Harbin PRC',
  'Asia/Chongqing': 'Asia/Chungking',
  'Asia/Hong_Kong': 'Hongkong',
  'Asia/Taipei': 'ROC',
  'Asia/Ulaanbaatar': 'Asia/Choibalsan Asia/Ulan_Bator',
  'Asia/Tokyo': 'Japan',
  'Asia/Seoul': 'ROK',
  'Australia/Perth': 'Australia/West',
  'Australia/Adelaide': 'Australia/South',
  'Australia/Darwin': 'Australia/North',
  'Australia/Brisbane': 'Australia/Queensland',
  'Australia/Canberra': 'Australia/ACT',
  'Australia/Hobart': 'Australia/Currie Australia/Tasmania',
  'Australia/Melbourne': 'Australia/Victoria',
  'Australia/Sydney': 'Australia/NSW',
  'Pacific/Auckland': 'NZ',
  'Pacific/Chatham': 'NZ-CHAT',
}

const ENTRIES: readonly (readonly [name: string, zone: string])[] = Object.entries(ZONES)
const ZONE_BY_NAME: ReadonlyMap<string, string> = new Map(ENTRIES)
const NAME_BY_ZONE: ReadonlyMap<string, string> = namesByZone()

/** The names of the list in its order. */
export const TIME_ZONES: readonly string[] = Object.freeze(ENTRIES.map(([name]) => name))

/** Returns the IANA zone of a name in the list; IANA names unchanged. Undefined for all other texts. */
export function zoneOf(name: string): string | undefined {
  return ZONE_BY_NAME.get(name) ?? (isZone(name) ? name : undefined)
}

/**
 * Returns the name under which a zone is stored; accepts IANA names. Undefined if the zone is not in the list
 * (behaviour: Time zones).
 */
export function listNameOf(nameOrZone: string): string | undefined {
  return ZONE_BY_NAME.has(nameOrZone) ? nameOrZone : NAME_BY_ZONE.get(nameOrZone)
}

/** `(GMT-06:00) Central Time (US & Canada)`: the offset outside daylight saving time. Other texts are returned unchanged. */
export function timeZoneLabel(name: string): string {
  const zone = ZONE_BY_NAME.get(name)
  return zone === undefined ? name : `(${standardOffset(zone)}) ${name}`
}

function isZone(name: string): boolean {
  // Some engines accept '+01:00' as a zone; the API does not.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Zones with several names: the name that the zone is called after, `London`, not `Edinburgh`. */
function namesByZone(): Map<string, string> {
  const names = new Map<string, string>()
  for (const [name, zone] of ENTRIES) {
    if (!names.has(zone) || zone.endsWith(`/${name.replaceAll(' ', '_')}`)) names.set(zone, name)
  }
  for (const [zone, links] of Object.entries(LINKS)) {
    for (const link of links.split(' ')) names.set(link, names.get(zone) ?? zone)
  }
  return names
}

/** Zones that set their clocks *back* for a season: there the later offset is the standard one. */
const BACK_FROM_STANDARD: readonly string[] = ['Europe/Dublin', 'Africa/Casablanca']

/**
 * A year far enough ahead that today's rules apply, so that labels do not depend on the clock. New rules come with the time
 * zone data of the Node.js release.
 */
const YEAR = 2050

function standardOffset(name: string): string {
  const zone = IANAZone.create(name)
  const [january, july] = [Date.UTC(YEAR, 0, 1), Date.UTC(YEAR, 6, 1)]
  const [earlier, later] = zone.offset(january) <= zone.offset(july) ? [january, july] : [july, january]
  return `GMT${zone.formatOffset(BACK_FROM_STANDARD.includes(name) ? later : earlier, 'short')}`
}
