/** The 2,000 people of the demo: always the same, made of names that people have where the company has its sites. */

interface Place {
  readonly site: string
  readonly zone: string
  readonly locales: readonly string[]
  readonly given: readonly string[]
  readonly family: readonly string[]
  readonly rooms: (pick: (below: number) => number) => string
}

const words = (text: string) => text.split(' ')

const DUTCH_GIVEN = words(
  'Sanne Daan Fleur Bram Lotte Sem Eva Thijs Noor Luuk Femke Jasper Maartje Ruben Iris Koen Yara Stijn Mila Niels Anouk Youssef Fatima Hamza Aylin Emre Soraya Ravi Chantal Winston',
)
const DUTCH_FAMILY =
  'de Vries,Jansen,van den Berg,Bakker,Visser,Smit,Meijer,de Boer,Mulder,Bos,Vos,Peters,Hendriks,van Leeuwen,Dekker,Brouwer,de Wit,Dijkstra,Smits,de Graaf,El Amrani,Yılmaz,Kaya,Benali,Ramdin,Sewnarain,Pinas,Kuijpers,Verhoeven,Hoekstra'.split(
    ',',
  )

const PLACES: readonly Place[] = [
  {
    site: 'Amsterdam',
    zone: 'Amsterdam',
    locales: ['nl', 'nl', 'nl', 'en-GB'],
    given: DUTCH_GIVEN,
    family: DUTCH_FAMILY,
    rooms: (pick) => `Floor ${1 + pick(6)}, desk ${1 + pick(60)}`,
  },
  {
    site: 'Utrecht',
    zone: 'Amsterdam',
    locales: ['nl', 'nl', 'de', 'fr'],
    given: [...DUTCH_GIVEN.slice(10), ...words('Jürgen Anneliese Célia Benoît Zoë Loïs')],
    family: [...DUTCH_FAMILY.slice(5), 'Müller', 'Schäfer', 'Lefèvre', 'Bogaert'],
    rooms: (pick) => `Hall ${'ABC'.charAt(pick(3))}, line ${1 + pick(9)}`,
  },
  {
    site: 'Houston',
    zone: 'Central Time (US & Canada)',
    locales: ['en-US', 'en-US', 'en-US', 'es'],
    given: words(
      'Emily Jacob Madison Ethan Olivia Tyrone Aaliyah Marcus Jasmine Luis Gabriela Mateo Ximena Diego Camila Hannah Caleb Grace Wyatt Linh Minh Thuy Kevin Megan Brandon Keisha Andre Sofía José Beatriz',
    ),
    family:
      "Smith,Johnson,Williams,Brown,Garcia,Martinez,Rodriguez,Hernández,Lopez,Washington,Jefferson,Nguyen,Tran,Pham,O'Connor,Miller,Davis,Wilson,Anderson,Thomas,Jackson,White,Harris,Clark,Lewis,Walker,Okafor,Adeyemi,Ramirez,Flores".split(
        ',',
      ),
    rooms: (pick) => `Building ${1 + pick(4)}, room ${100 + pick(80)}`,
  },
  {
    site: 'Bangalore',
    zone: 'Chennai',
    locales: ['en-GB', 'en-GB', 'hi', 'ta'],
    given: words(
      'Aarav Ananya Vivaan Diya Aditya Ishita Arjun Meera Rohan Kavya Siddharth Priya Karthik Lakshmi Nikhil Deepa Rahul Sneha Vikram Pooja Imran Ayesha Joseph Mariam Harpreet Gurpreet Suresh Divya Manoj Revathi',
    ),
    family: words(
      'Sharma Iyer Reddy Nair Gowda Rao Patel Menon Krishnan Shetty Kulkarni Joshi Das Banerjee Mukherjee Singh Kaur Khan Ahmed Fernandes Dsouza Pillai Hegde Bhat Naidu Subramanian Chatterjee Verma Gupta Mehta',
    ),
    rooms: (pick) => `Tower ${'NS'.charAt(pick(2))}, floor ${1 + pick(12)}`,
  },
]

const JOBS: readonly (readonly [organization: string, titles: readonly string[]])[] = [
  [
    'Widget Corporation',
    ['Accountant', 'HR Advisor', 'Legal Counsel', 'Controller', 'Facilities Coordinator', 'Office Assistant'],
  ],
  [
    'Widget Sales',
    ['Account Manager', 'Sales Engineer', 'Regional Sales Director', 'Inside Sales Representative', 'Bid Manager'],
  ],
  [
    'Widget Manufacturing',
    ['Production Operator', 'Quality Inspector', 'Maintenance Technician', 'Process Engineer', 'Shift Leader', 'Buyer'],
  ],
  [
    'Widget IT',
    ['Service Desk Analyst', 'System Administrator', 'Network Engineer', 'Software Developer', 'Database Administrator'],
  ],
]
/** Of ten people at a site, how many work for each organization. */
const SHARES: readonly (readonly number[])[] = [
  [0, 0, 0, 1, 1, 1, 3, 3, 1, 0],
  [2, 2, 2, 2, 2, 2, 1, 0, 3, 2],
  [1, 1, 1, 2, 2, 2, 2, 0, 3, 1],
  [3, 3, 3, 3, 3, 1, 2, 2, 0, 3],
]

/** The CSV file, header included. */
export function demoPeople(number = 2000): string {
  const pick = generator(20_261_121)
  const any = <T>(list: readonly T[]): T => list[pick(list.length)] as T
  const taken = new Set<string>()
  const lines = ['Primary Email,Name,Job Title,Organization,Site,Location,Time Zone,Locale,VIP']
  while (lines.length <= number) {
    const at = any([0, 0, 0, 1, 1, 2, 2, 2, 3, 3])
    const place = PLACES[at] as Place
    const name = `${any(place.given)} ${any(place.family)}`
    const [organization, titles] = JOBS[any(SHARES[at] as readonly number[])] as (typeof JOBS)[number]
    const cells = [
      addressOf(name, taken),
      name,
      any(titles),
      organization,
      place.site,
      place.rooms(pick),
      place.zone,
      any(place.locales),
      pick(50) === 0 ? '1' : '0',
    ]
    lines.push(cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
  }
  return `${lines.join('\n')}\n`
}

/** `zoe.de.vries@widgets.example`; people of the same name get a number. */
function addressOf(name: string, taken: Set<string>): string {
  const plain = name
    .normalize('NFD')
    .replace(/[\u0300-\u036f']/g, '')
    .replaceAll('ı', 'i')
    .toLowerCase()
    .replace(/[^a-z]+/g, '.')
  for (let number = 1; ; number++) {
    const local = number === 1 ? plain : `${plain}${number}`
    if (taken.has(local)) continue
    taken.add(local)
    return `${local}@widgets.example`
  }
}

/** A small generator of numbers (mulberry32): the same everywhere, unlike that of the platform. */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below)
  }
}
