export { endedLaunch, raisedAlert, settledCause } from './announcements.ts'
export { alertDismissed } from './signals.ts'
