import type { WebhookTexts } from './en.js'

/** French texts about deliveries of webhooks that are sent again, or were not sent. */
export const webhookTexts: WebhookTexts = {
  replay_all: 'Toutes, même arrivées ou jamais mises en file',
  replay_any_event: 'Tout événement',
  replay_cannot: 'Impossible de renvoyer maintenant : l’envoi est déjà en cours, c’est un test, ou le webhook est désactivé.',
  replay_done: 'Livraisons renvoyées : {count}',
  replay_failed: 'Celles en échec définitif ou abandonnées',
  replay_from: 'Du',
  replay_help:
    'Renvoie ce qui a été mis en file dans cette période, dans l’ordre. L’en-tête webhook-id dit aux récepteurs ce qu’ils avaient déjà.',
  replay_none: 'Il n’y avait rien à renvoyer dans cette période.',
  replay_title: 'Renvoyer une période',
  replay_to: 'Au (vide : jusqu’à maintenant)',
  replay_which: 'Quelles livraisons',
  retry_failed: 'La livraison a échoué : {reason}',
  retry_sent: 'La livraison a réussi.',
  why_account: 'La fiche appartient à un compte qui n’est pas visible ici.',
  why_ask: 'Vérifier',
  why_delivery: 'Ce qu’il en est advenu :',
  why_disabled: 'Le webhook est désactivé.',
  why_event: 'Le webhook ne demande pas cet événement.',
  why_filter: 'Le filtre du webhook l’écarte.',
  why_help: 'Examine l’événement le plus récent d’une fiche, avec le webhook tel qu’il est maintenant.',
  why_internal: 'C’est une note interne d’un autre compte.',
  why_matched: 'Le webhook demande cet événement.',
  why_object: 'Numéro de la fiche',
  why_occurred: 'L’événement a eu lieu le {time}.',
  why_own_change: 'La personne dont les modifications sont écartées en est à l’origine.',
  why_term: '{term} (trouvé : {met})',
  why_title: 'Pourquoi un événement n’a-t-il pas été envoyé ?',
  why_unknown: 'Aucun événement de ce genre n’est conservé : il n’a pas eu lieu, ou il est trop ancien.',
}
