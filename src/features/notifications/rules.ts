/** Every kind of news. */
export type NotificationKind =
  | 'LAUNCH_FINISHED'
  | 'LAUNCH_FAILED'
  | 'BUDGET_PACING'
  | 'OUT_OF_BUDGET'
  | 'SPEND_SPIKE'
  | 'NO_SALES'
  | 'PAYMENT_PROBLEM'
  | 'CONNECTION_LOST'
  | 'EXTERNAL_CHANGE'
  | 'PRODUCT_INELIGIBLE'
  | 'REPORT_READY'
  | 'INVOICE_READY'
  | 'TRIAL_ENDING'
  | 'SEEDING_FINISHED'

/** What one notification says and where it leads, below our own address. */
export interface NewsText {
  title: string
  body: string
  url: string
}

const mostWaitSeconds = 300

/** How long to wait before a push is tried again: 1, 2, 4 … seconds, at most 5 minutes, or as long as the service said. */
export const waitSeconds = (attempts: number, retryAfterMs: number | undefined): number =>
  Math.max(Math.min(2 ** attempts, mostWaitSeconds), Math.ceil((retryAfterMs ?? 0) / 1000))

/** How a launch came to its end. */
export interface LaunchEnd {
  name: string
  status: 'COMPLETED' | 'PARTIAL' | 'FAILED'
}

const launchWords = {
  COMPLETED: ['Campaign created successfully!', name => `“${name}” is switched on.`],
  PARTIAL: ['Created, but not everything', name => `“${name}”: see what failed, and try that again.`],
  FAILED: ['A campaign could not be created', name => `“${name}”: nothing was switched on and nothing is spent.`],
} satisfies Record<LaunchEnd['status'], [title: string, body: (name: string) => string]>

/** What a seller is told of the end of a launch. */
export function newsOfLaunch({ name, status }: LaunchEnd): NewsText & { kind: NotificationKind } {
  const [title, body] = launchWords[status]
  return {
    kind: status === 'COMPLETED' ? 'LAUNCH_FINISHED' : 'LAUNCH_FAILED',
    title,
    body: body(name),
    url: '/create-campaign-logs',
  }
}
