import { expect } from 'chai'
import { humanize, titleCase } from '../../plugin/words/labels.js'

describe('labels by rule', () => {
  it('make the label of a field from its name', () => {
    const labels = {
      primary_email: 'Primary email',
      sourceID: 'Source ID',
      supplier_requestID: 'Supplier request ID',
      supportID: 'Support ID',
      ci: 'CI',
      cis: 'CIs',
      vip: 'VIP',
      uri: 'Uri',
      url: 'URL',
      api_token: 'API token',
      javascript: 'JavaScript',
      ui_extension: 'UI extension',
      assignment_count_: 'Assignment count',
      time_format_24h: 'Time format 24h',
      id: 'ID',
      subject: 'Subject',
      _: '_',
      '_!': '_!',
    }
    expect(Object.keys(labels).map(humanize)).to.eql(Object.values(labels))
  })

  it('make the label of a value from the value', () => {
    const labels = {
      in_progress: 'In Progress',
      lost_or_stolen: 'Lost or Stolen',
      covered_for: 'Covered For',
      covered_for_any: 'Covered for Any',
      to_be_removed: 'To Be Removed',
      once_every_2_weeks: 'Once Every 2 Weeks',
      'NL-12': 'NL-12',
      '': '',
    }
    expect(Object.keys(labels).map(titleCase)).to.eql(Object.values(labels))
  })
})
