import type { WebhookTexts } from './en.js'

/** Dutch texts about deliveries of webhooks that are sent again, or were not sent. */
export const webhookTexts: WebhookTexts = {
  replay_all: 'Alle, ook die aankwamen of nooit in de rij stonden',
  replay_any_event: 'Elke gebeurtenis',
  replay_cannot:
    'Dit kan nu niet opnieuw worden verstuurd. Het is al onderweg, het is een test, of de webhook is uitgeschakeld.',
  replay_done: 'Afleveringen die opnieuw worden verstuurd: {count}',
  replay_failed: 'Die zijn opgegeven of vervallen',
  replay_from: 'Vanaf',
  replay_help:
    'Verstuurt opnieuw wat in deze tijd in de rij stond, in die volgorde. Ontvangers herkennen wat ze al hadden aan de header webhook-id.',
  replay_none: 'In deze tijd was er niets om opnieuw te versturen.',
  replay_title: 'Een periode opnieuw versturen',
  replay_to: 'Tot (leeg: tot nu)',
  replay_which: 'Welke afleveringen',
  retry_failed: 'De aflevering is mislukt: {reason}',
  retry_sent: 'De aflevering is gelukt.',
  why_account: 'Het record hoort bij een account dat hier niet zichtbaar is.',
  why_ask: 'Nakijken',
  why_delivery: 'Wat ervan is geworden:',
  why_disabled: 'De webhook is uitgeschakeld.',
  why_event: 'De webhook vraagt niet om deze gebeurtenis.',
  why_filter: 'Het filter van de webhook houdt het tegen.',
  why_help: 'Kijkt naar de nieuwste gebeurtenis van een record, met de webhook zoals hij nu is.',
  why_internal: 'Het is een interne notitie van een ander account.',
  why_matched: 'De webhook vraagt om deze gebeurtenis.',
  why_object: 'Nummer van het record',
  why_occurred: 'De gebeurtenis was op {time}.',
  why_own_change: 'De persoon van wie wijzigingen worden weggelaten, heeft het veroorzaakt.',
  why_term: '{term} (gevonden: {met})',
  why_title: 'Waarom is een gebeurtenis niet verstuurd?',
  why_unknown: 'Zo’n gebeurtenis is niet bewaard: ze is er niet geweest, of ze is te oud.',
}
