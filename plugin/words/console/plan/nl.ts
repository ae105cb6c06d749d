import type { PlanTexts } from './en.js'

/** Dutch texts of plans. */
export const planTexts: PlanTexts = {
  plan: 'Plan',
  plan_all_tasks: 'Alle taken',
  plan_begin: 'Begin',
  plan_chain: 'De keten die het einde bepaalt: {tasks} ({hours})',
  plan_chain_more: 'nog {count}',
  plan_decides: 'Bepaalt het einde',
  plan_empty:
    'Dit project heeft nog geen taken. Voeg ze toe met een import of via de API: dan staan ze hier in de tijd en in hun volgorde.',
  plan_empty_change:
    'Deze wijziging heeft nog geen taken. Ze komen met het sjabloon; voeg andere toe met een import of via de API.',
  plan_end: 'Einde',
  plan_expected: 'verwacht',
  plan_graph: 'Netwerk',
  plan_graph_free: 'Geen enkele taak wacht op een andere.',
  plan_graph_help: 'Elke taak staat na de taken waarop zij wacht. De tabel zegt hetzelfde in woorden.',
  plan_no_times: 'Geen tijden',
  plan_now: 'Nu',
  plan_others: 'Taken die hier niet staan: {count}',
  plan_row: 'van {begin} tot {end}, {hours}',
  plan_show_more: 'Nog {count} tonen',
  plan_shown_of: '{count} van {total} taken zijn te zien.',
  plan_table: 'Tabel',
  plan_timeline: 'Tijdlijn',
  plan_views: 'Weergaven van het plan',
  plan_waits_for_others: '+{count} ervoor',
  plan_who: 'Toegewezen aan',
  plan_without_phase: 'Zonder fase',
  plan_without_times:
    'Geen van deze taken heeft al een tijd: ze wachten op een taak die is mislukt of afgewezen. Het netwerk laat zien welke.',
}
