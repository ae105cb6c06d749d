import type { PlanTexts } from './en.js'

/** German texts of plans. */
export const planTexts: PlanTexts = {
  plan: 'Plan',
  plan_all_tasks: 'Alle Aufgaben',
  plan_begin: 'Beginn',
  plan_chain: 'Die Kette, die das Ende bestimmt: {tasks} ({hours})',
  plan_chain_more: '{count} weitere',
  plan_decides: 'Bestimmt das Ende',
  plan_empty:
    'Dieses Projekt hat noch keine Aufgaben. Fügen Sie sie mit einem Import oder über die API hinzu: Dann stehen sie hier im Zeitverlauf und in ihrer Reihenfolge.',
  plan_empty_change:
    'Diese Änderung hat noch keine Aufgaben. Sie kommen mit ihrer Vorlage; weitere fügen Sie mit einem Import oder über die API hinzu.',
  plan_end: 'Ende',
  plan_expected: 'erwartet',
  plan_graph: 'Netzplan',
  plan_graph_free: 'Keine Aufgabe wartet auf eine andere.',
  plan_graph_help: 'Jede Aufgabe steht hinter denen, auf die sie wartet. Die Tabelle sagt dasselbe in Worten.',
  plan_no_times: 'Keine Zeiten',
  plan_now: 'Jetzt',
  plan_others: 'Hier nicht gezeigte Aufgaben: {count}',
  plan_row: 'von {begin} bis {end}, {hours}',
  plan_show_more: '{count} weitere anzeigen',
  plan_shown_of: '{count} von {total} Aufgaben sind zu sehen.',
  plan_table: 'Tabelle',
  plan_timeline: 'Zeitplan',
  plan_views: 'Ansichten des Plans',
  plan_waits_for_others: '+{count} davor',
  plan_who: 'Zugewiesen an',
  plan_without_phase: 'Ohne Phase',
  plan_without_times:
    'Keine dieser Aufgaben hat schon eine Zeit: Sie warten auf eine, die fehlgeschlagen ist oder abgelehnt wurde. Der Netzplan zeigt, welche.',
}
