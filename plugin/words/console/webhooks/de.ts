import type { WebhookTexts } from './en.js'

/** German texts about deliveries of webhooks that are sent again, or were not sent. */
export const webhookTexts: WebhookTexts = {
  replay_all: 'Alle, auch die, die ankamen oder nie eingereiht waren',
  replay_any_event: 'Jedes Ereignis',
  replay_cannot:
    'Das kann jetzt nicht erneut gesendet werden. Es ist schon unterwegs, es ist ein Test, oder der Webhook ist deaktiviert.',
  replay_done: 'Zustellungen, die erneut gesendet werden: {count}',
  replay_failed: 'Die aufgegeben oder verworfen wurden',
  replay_from: 'Von',
  replay_help:
    'Sendet erneut, was in dieser Zeit eingereiht war, in seiner Reihenfolge. Empfänger erkennen am Header webhook-id, was sie schon hatten.',
  replay_none: 'In dieser Zeit gab es nichts erneut zu senden.',
  replay_title: 'Einen Zeitraum erneut senden',
  replay_to: 'Bis (leer: bis jetzt)',
  replay_which: 'Welche Zustellungen',
  retry_failed: 'Die Zustellung ist fehlgeschlagen: {reason}',
  retry_sent: 'Die Zustellung ist gelungen.',
  why_account: 'Der Datensatz gehört zu einem Account, der hier nicht sichtbar ist.',
  why_ask: 'Nachsehen',
  why_delivery: 'Was daraus wurde:',
  why_disabled: 'Der Webhook ist deaktiviert.',
  why_event: 'Der Webhook fragt nicht nach diesem Ereignis.',
  why_filter: 'Der Filter des Webhooks hält es zurück.',
  why_help: 'Betrachtet das neueste Ereignis eines Datensatzes, mit dem Webhook, wie er jetzt ist.',
  why_internal: 'Es ist eine interne Notiz eines anderen Accounts.',
  why_matched: 'Der Webhook fragt nach diesem Ereignis.',
  why_object: 'Nummer des Datensatzes',
  why_occurred: 'Das Ereignis war am {time}.',
  why_own_change: 'Die Person, deren Änderungen ausgelassen werden, hat es verursacht.',
  why_term: '{term} (gefunden: {met})',
  why_title: 'Warum wurde ein Ereignis nicht gesendet?',
  why_unknown: 'Ein solches Ereignis ist nicht aufbewahrt: es kam nicht vor, oder es ist zu alt.',
}
