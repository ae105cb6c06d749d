/** Sample requests to a service desk. `about` selects one of the service instances. */
export const PROBLEMS = [
  { subject: 'My calendar shows every meeting twice', category: 'incident', impact: 'low', about: 0 },
  { subject: 'A second screen for my desk, please', category: 'rfc', about: 1 },
  { subject: 'Mails from our largest customer end up in spam', category: 'incident', impact: 'medium', about: 0 },
  { subject: 'How do I share a mailbox with my team?', category: 'rfi', about: 0 },
  { subject: 'The laptop is hot enough to fry an egg', category: 'incident', impact: 'high', about: 1 },
  { subject: 'Nobody in Houston can open attachments', category: 'incident', impact: 'top', about: 0 },
  { subject: 'Please add the new colleague to the shift list', category: 'rfc', about: 0 },
  { subject: 'My keyboard has lost its E', category: 'incident', impact: 'low', about: 1 },
  { subject: 'Thank you for the quick help yesterday!', category: 'compliment', about: 0 },
  { subject: 'Which laptop do you recommend for travelling?', category: 'rfi', about: 1 },
  { subject: 'The battery lasts until the first coffee', category: 'incident', impact: 'medium', about: 1 },
  { subject: 'Signature with the old logo', category: 'other', about: 0 },
] as const
