/**
 * `delivered`: the server took it over. `permanent`: this mail will never go (5xx, or an address that is none): tell
 * the user, do not repeat. `retry`: the server is down or says later (4xx): send the same again with patience.
 */
export type SendOutcome =
  | { outcome: 'delivered'; response: string }
  | { outcome: 'permanent'; code: number | null; reason: string }
  | { outcome: 'retry'; code: number | null; reason: string }

interface SmtpError {
  code?: unknown
  responseCode?: unknown
  message?: unknown
}

// Refused log-in is the operator's to mend, not the mail's fault: it waits.
const waiting = new Set(['EAUTH', 'ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS', 'ETLS', 'EPROXY'])

/** What a failed sending means. */
export function outcomeOf(error: unknown): SendOutcome {
  const { code, responseCode, message } = (typeof error === 'object' && error !== null ? error : {}) as SmtpError
  const status = typeof responseCode === 'number' ? responseCode : null
  const reason = typeof message === 'string' ? message : 'unknown failure'
  if (typeof code === 'string' && waiting.has(code)) return { outcome: 'retry', code: status, reason }
  // EENVELOPE without an answer of the server: nodemailer itself refused the address.
  const permanent = status === null ? code === 'EENVELOPE' : status >= 500
  return { outcome: permanent ? 'permanent' : 'retry', code: status, reason }
}
