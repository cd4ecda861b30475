/** Every kind of notification. */
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

/** A notification's text, and the path it opens. */
export interface NotificationText {
  title: string
  body: string
  url: string
}

const maxWaitSeconds = 300

/** The delay before a push is retried: 1, 2, 4 … seconds, at most 5 minutes, or as long as the service asks for. */
export const waitSeconds = (attempts: number, retryAfterMs: number | undefined): number =>
  Math.max(Math.min(2 ** attempts, maxWaitSeconds), Math.ceil((retryAfterMs ?? 0) / 1000))

/** How a launch has ended. */
export interface LaunchEnd {
  name: string
  status: 'COMPLETED' | 'PARTIAL' | 'FAILED'
}

const launchTexts = {
  COMPLETED: ['Campaign created successfully!', name => `“${name}” is enabled.`],
  PARTIAL: ['Only partly created', name => `“${name}”: see what failed and try again.`],
  FAILED: ['A campaign could not be created', name => `“${name}”: nothing was enabled, so nothing is spent.`],
} satisfies Record<LaunchEnd['status'], [title: string, body: (name: string) => string]>

/** The notification about the end of a launch. */
export function launchNotification({ name, status }: LaunchEnd): NotificationText & { kind: NotificationKind } {
  const [title, body] = launchTexts[status]
  return {
    kind: status === 'COMPLETED' ? 'LAUNCH_FINISHED' : 'LAUNCH_FAILED',
    title,
    body: body(name),
    url: '/create-campaign-logs',
  }
}
