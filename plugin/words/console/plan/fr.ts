import type { PlanTexts } from './en.js'

/** French texts of plans. */
export const planTexts: PlanTexts = {
  plan: 'Plan',
  plan_all_tasks: 'Toutes les tâches',
  plan_begin: 'Début',
  plan_chain: 'La chaîne qui détermine la fin : {tasks} ({hours})',
  plan_chain_more: '{count} autres',
  plan_decides: 'Détermine la fin',
  plan_empty:
    'Ce projet n’a pas encore de tâches. Ajoutez-les par une importation ou par l’API : elles seront affichées ici dans le temps et dans leur ordre.',
  plan_empty_change:
    'Ce changement n’a pas encore de tâches. Elles viennent de son modèle ; ajoutez-en d’autres par une importation ou par l’API.',
  plan_end: 'Fin',
  plan_expected: 'prévu',
  plan_graph: 'Réseau',
  plan_graph_free: 'Aucune tâche n’en attend une autre.',
  plan_graph_help: 'Chaque tâche se trouve après celles qu’elle attend. Le tableau dit la même chose en mots.',
  plan_no_times: 'Pas de dates',
  plan_now: 'Maintenant',
  plan_others: 'Tâches non affichées ici : {count}',
  plan_row: 'du {begin} au {end}, {hours}',
  plan_show_more: 'Afficher {count} de plus',
  plan_shown_of: '{count} tâches sur {total} sont affichées.',
  plan_table: 'Tableau',
  plan_timeline: 'Calendrier',
  plan_views: 'Vues du plan',
  plan_waits_for_others: '+{count} avant',
  plan_who: 'Attribuée à',
  plan_without_phase: 'Sans phase',
  plan_without_times:
    'Aucune de ces tâches n’a encore de date : elles attendent une tâche qui a échoué ou a été rejetée. Le réseau montre laquelle.',
}
