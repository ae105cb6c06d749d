import type { MailTexts } from './en.js'

/** Figures of an import, in both of its mails. */
const FIGURES = [
  'Datei: {file_name}',
  'Typ: {type}',
  'Konto: {account}',
  'Beginn: {started_at}',
  'Ende: {finished_at}',
  '',
  'Angelegt: {created}',
  'Geändert: {updated}',
  'Gelöscht: {deleted}',
  'Unverändert: {unchanged}',
  'Abgelehnt: {failures}',
  'Fehler: {errors}',
  '',
  'Protokoll: {log}',
] as const

/** Facts of a webhook, in two of its mails. */
const SUBSCRIPTION = [
  'Adresse: {uri}',
  'Ereignis: {event}',
  'Letzter Fehler: {error}',
  'Konto: {account}',
  'Webhook-ID: {id}',
] as const

/** Mails by name, in German. */
export const mails: MailTexts = {
  import_completed: {
    subject: 'Import „{type}“ abgeschlossen',
    lines: ['Der Import von {file_name} ist abgeschlossen.', '', ...FIGURES],
  },
  import_failed: {
    subject: 'Import „{type}“ fehlgeschlagen',
    lines: [
      'Der Import von {file_name} wurde vorzeitig beendet: {message}',
      'Die Zeilen davor sind gespeichert.',
      '',
      ...FIGURES,
    ],
  },
  webhook_exception: {
    subject: 'Webhook {webhook} konnte nicht zugestellt werden',
    lines: [
      'Ein Aufruf des Webhooks {webhook} ist fehlgeschlagen.',
      '',
      'Adresse: {uri}',
      'Ereignis: {event}',
      'Datensatz: {object_id}',
      'Versuch: {attempt}',
      'Letzter Fehler: {error}',
      'Konto: {account}',
      'Webhook-ID: {id}',
      '',
      'Der Aufruf wird in wachsenden Abständen wiederholt und nach mehreren Fehlversuchen verworfen.',
    ],
  },
  webhook_warning: {
    subject: 'Webhook {webhook} schlägt wiederholt fehl',
    lines: [
      'Die letzten 10 Aufrufe des Webhooks {webhook} sind fehlgeschlagen. Nach 20 Fehlern in Folge über mehr als eine Woche wird er deaktiviert.',
      '',
      ...SUBSCRIPTION,
      '',
      'Beheben Sie die Störung beim Empfänger: Der erste erfolgreiche Aufruf setzt die Zählung zurück.',
    ],
  },
  webhook_disabled: {
    subject: 'Webhook {webhook} wurde deaktiviert',
    lines: [
      'Der Webhook {webhook} wurde deaktiviert, weil seit über einer Woche alle Aufrufe fehlschlagen.',
      '',
      ...SUBSCRIPTION,
      '',
      'Beheben Sie die Störung beim Empfänger und aktivieren Sie den Webhook wieder.',
      'Ereignisse aus der Zwischenzeit werden nicht nachgesendet.',
    ],
  },
  desired_completion_set: {
    subject: 'Gewünschter Abschluss der Anfrage {id}: {subject}',
    lines: [
      'Für diese Anfrage wurde ein gewünschter Abschluss festgelegt.',
      '',
      'Anfrage: {id}',
      'Betreff: {subject}',
      'Gewünschter Abschluss: {desired}',
      'Konto: {account}',
    ],
  },
  desired_completion_changed: {
    subject: 'Gewünschter Abschluss der Anfrage {id}: {subject}',
    lines: [
      'Der gewünschte Abschluss dieser Anfrage wurde geändert.',
      '',
      'Anfrage: {id}',
      'Betreff: {subject}',
      'Gewünschter Abschluss: {desired}',
      'Bisher: {previous}',
      'Konto: {account}',
    ],
  },
  desired_completion_removed: {
    subject: 'Gewünschter Abschluss der Anfrage {id}: {subject}',
    lines: [
      'Für diese Anfrage gibt es keinen gewünschten Abschluss mehr.',
      '',
      'Anfrage: {id}',
      'Betreff: {subject}',
      'Bisher: {previous}',
      'Konto: {account}',
    ],
  },
}
