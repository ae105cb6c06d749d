import type { MailTexts } from './en.js'

/** Figures of an import, in both of its mails. */
const FIGURES = [
  'Fichier\u00a0: {file_name}',
  'Type\u00a0: {type}',
  'Compte\u00a0: {account}',
  'Début\u00a0: {started_at}',
  'Fin\u00a0: {finished_at}',
  '',
  'Créations\u00a0: {created}',
  'Mises à jour\u00a0: {updated}',
  'Suppressions\u00a0: {deleted}',
  'Sans changement\u00a0: {unchanged}',
  'Refus\u00a0: {failures}',
  'Erreurs\u00a0: {errors}',
  '',
  'Journal\u00a0: {log}',
] as const

/** Facts of a webhook, in two of its mails. */
const SUBSCRIPTION = [
  'Adresse\u00a0: {uri}',
  'Événement\u00a0: {event}',
  'Dernière erreur\u00a0: {error}',
  'Compte\u00a0: {account}',
  'ID du webhook\u00a0: {id}',
] as const

/** Mails by name, in French. */
export const mails: MailTexts = {
  import_completed: {
    subject: 'Import «\u00a0{type}\u00a0» terminé',
    lines: ['L’import du fichier {file_name} est terminé.', '', ...FIGURES],
  },
  import_failed: {
    subject: 'Échec de l’import «\u00a0{type}\u00a0»',
    lines: [
      'L’import du fichier {file_name} s’est arrêté avant la fin\u00a0: {message}',
      'Les lignes précédentes sont enregistrées.',
      '',
      ...FIGURES,
    ],
  },
  webhook_exception: {
    subject: 'Échec d’un appel du webhook {webhook}',
    lines: [
      'Un appel du webhook {webhook} a échoué.',
      '',
      'Adresse\u00a0: {uri}',
      'Événement\u00a0: {event}',
      'Enregistrement\u00a0: {object_id}',
      'Tentative\u00a0: {attempt}',
      'Dernière erreur\u00a0: {error}',
      'Compte\u00a0: {account}',
      'ID du webhook\u00a0: {id}',
      '',
      'L’appel est répété à intervalles croissants, puis abandonné après plusieurs échecs.',
    ],
  },
  webhook_warning: {
    subject: 'Échecs répétés du webhook {webhook}',
    lines: [
      'Les 10 derniers appels du webhook {webhook} ont échoué. Après 20 échecs consécutifs sur plus d’une semaine, il sera désactivé.',
      '',
      ...SUBSCRIPTION,
      '',
      'Corrigez le problème côté récepteur\u00a0: le premier appel réussi remet le compteur à zéro.',
    ],
  },
  webhook_disabled: {
    subject: 'Le webhook {webhook} a été désactivé',
    lines: [
      'Le webhook {webhook} a été désactivé, car tous ses appels échouent depuis plus d’une semaine.',
      '',
      ...SUBSCRIPTION,
      '',
      'Corrigez le problème côté récepteur, puis réactivez le webhook.',
      'Les événements survenus entre-temps ne seront pas envoyés.',
    ],
  },
  desired_completion_set: {
    subject: 'Achèvement souhaité de la demande {id}\u00a0: {subject}',
    lines: [
      'Un achèvement souhaité a été fixé pour cette demande.',
      '',
      'Demande\u00a0: {id}',
      'Objet\u00a0: {subject}',
      'Achèvement souhaité\u00a0: {desired}',
      'Compte\u00a0: {account}',
    ],
  },
  desired_completion_changed: {
    subject: 'Achèvement souhaité de la demande {id}\u00a0: {subject}',
    lines: [
      'L’achèvement souhaité de cette demande a été modifié.',
      '',
      'Demande\u00a0: {id}',
      'Objet\u00a0: {subject}',
      'Achèvement souhaité\u00a0: {desired}',
      'Auparavant\u00a0: {previous}',
      'Compte\u00a0: {account}',
    ],
  },
  desired_completion_removed: {
    subject: 'Achèvement souhaité de la demande {id}\u00a0: {subject}',
    lines: [
      'L’achèvement souhaité de cette demande a été supprimé.',
      '',
      'Demande\u00a0: {id}',
      'Objet\u00a0: {subject}',
      'Auparavant\u00a0: {previous}',
      'Compte\u00a0: {account}',
    ],
  },
}
