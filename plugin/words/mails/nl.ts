import type { MailTexts } from './en.js'

/** Figures of an import, in both of its mails. */
const FIGURES = [
  'Bestand: {file_name}',
  'Type: {type}',
  'Account: {account}',
  'Begin: {started_at}',
  'Einde: {finished_at}',
  '',
  'Aangemaakt: {created}',
  'Bijgewerkt: {updated}',
  'Verwijderd: {deleted}',
  'Ongewijzigd: {unchanged}',
  'Geweigerd: {failures}',
  'Fouten: {errors}',
  '',
  'Logboek: {log}',
] as const

/** Facts of a webhook, in two of its mails. */
const SUBSCRIPTION = [
  'Adres: {uri}',
  'Gebeurtenis: {event}',
  'Laatste fout: {error}',
  'Account: {account}',
  'Webhook-ID: {id}',
] as const

/** Mails by name, in Dutch. */
export const mails: MailTexts = {
  import_completed: {
    subject: 'Import ‘{type}’ voltooid',
    lines: ['De import van {file_name} is voltooid.', '', ...FIGURES],
  },
  import_failed: {
    subject: 'Import ‘{type}’ mislukt',
    lines: ['De import van {file_name} is voortijdig gestopt: {message}', 'De rijen daarvoor zijn opgeslagen.', '', ...FIGURES],
  },
  webhook_exception: {
    subject: 'Webhook {webhook} kon niet worden afgeleverd',
    lines: [
      'Een aanroep van de webhook {webhook} is mislukt.',
      '',
      'Adres: {uri}',
      'Gebeurtenis: {event}',
      'Record: {object_id}',
      'Poging: {attempt}',
      'Laatste fout: {error}',
      'Account: {account}',
      'Webhook-ID: {id}',
      '',
      'De aanroep wordt met steeds langere tussenpozen herhaald en vervalt na een aantal mislukte pogingen.',
    ],
  },
  webhook_warning: {
    subject: 'Webhook {webhook} mislukt herhaaldelijk',
    lines: [
      'De laatste 10 aanroepen van de webhook {webhook} zijn mislukt. Na 20 fouten op rij gedurende meer dan een week wordt hij uitgeschakeld.',
      '',
      ...SUBSCRIPTION,
      '',
      'Verhelp het probleem bij de ontvanger: de eerste geslaagde aanroep zet de telling terug.',
    ],
  },
  webhook_disabled: {
    subject: 'Webhook {webhook} is uitgeschakeld',
    lines: [
      'De webhook {webhook} is uitgeschakeld, omdat al meer dan een week alle aanroepen mislukken.',
      '',
      ...SUBSCRIPTION,
      '',
      'Verhelp het probleem bij de ontvanger en schakel de webhook weer in.',
      'Gebeurtenissen uit de tussentijd worden niet verzonden.',
    ],
  },
  desired_completion_set: {
    subject: 'Gewenste voltooiing van verzoek {id}: {subject}',
    lines: [
      'Voor dit verzoek is een gewenste voltooiing vastgelegd.',
      '',
      'Verzoek: {id}',
      'Onderwerp: {subject}',
      'Gewenste voltooiing: {desired}',
      'Account: {account}',
    ],
  },
  desired_completion_changed: {
    subject: 'Gewenste voltooiing van verzoek {id}: {subject}',
    lines: [
      'De gewenste voltooiing van dit verzoek is gewijzigd.',
      '',
      'Verzoek: {id}',
      'Onderwerp: {subject}',
      'Gewenste voltooiing: {desired}',
      'Eerder: {previous}',
      'Account: {account}',
    ],
  },
  desired_completion_removed: {
    subject: 'Gewenste voltooiing van verzoek {id}: {subject}',
    lines: [
      'De gewenste voltooiing van dit verzoek is vervallen.',
      '',
      'Verzoek: {id}',
      'Onderwerp: {subject}',
      'Eerder: {previous}',
      'Account: {account}',
    ],
  },
}
