import { ApiError } from '#client/api/api-error.ts'
import type { ErrorCode } from '#shared/errors.ts'

export interface CallbackFailure {
  title: string
  /** What happened, and what to do about it. */
  sentences: readonly string[]
}

const failures: Partial<Record<ErrorCode, CallbackFailure>> = {
  OAUTH_REFUSED: {
    title: 'The permission was not given',
    sentences: [
      'You refused on the marketplace’s page, so nothing was connected.',
      'Tideline cannot show or change anything without it. You can start again whenever you like.',
    ],
  },
  OAUTH_CODE_INVALID: {
    title: 'The permission expired',
    sentences: [
      'The marketplace’s permission is good for five minutes and for one use; this one arrived too late, or was given for another account.',
      'Start again and come straight back.',
    ],
  },
  OAUTH_STATE_INVALID: {
    title: 'This connection was not started here',
    sentences: [
      'The address belongs to another user, was used already, or is older than ten minutes. Nothing was connected by it.',
      'If you have just connected the account, it is listed under Connections. Otherwise start again from there.',
    ],
  },
  NO_PROFILES: {
    title: 'No advertising accounts found',
    sentences: [
      'There is no seller or vendor advertising account behind this log-in that could be connected.',
      'The marketplace makes one when the first campaign is created in its own advertising console. Create one there, or sign in with another log-in.',
    ],
  },
  MERCHANT_TAKEN: {
    title: 'Already connected by someone else',
    sentences: [
      'Another Tideline user has connected this seller account, and it can belong to one only.',
      'Ask that person to disconnect it, then connect it again.',
    ],
  },
  RULE_VIOLATED: {
    title: 'This is another seller account',
    sentences: [
      'You signed in to a different seller account than the one to be connected, so nothing was changed.',
      'Sign out on the marketplace’s page, then start again with the right one.',
    ],
  },
  FORBIDDEN: {
    title: 'You may not connect accounts',
    sentences: ['Your role only allows looking. Ask the owner to connect the account.'],
  },
}

const unclear: CallbackFailure = {
  title: 'The connection could not be completed',
  sentences: [
    'The marketplace or Tideline did not answer in time.',
    'Look under Connections whether the account is there; if not, start again.',
  ],
}

/** The screen of a consent that failed. */
export function callbackFailure(error: unknown): CallbackFailure {
  return (error instanceof ApiError && failures[error.code]) || unclear
}
