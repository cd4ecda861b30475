export { endedLaunch, raisedAlert, settledCause } from './announcements.ts'
export { notify, settleOthers } from './notify.ts'
export { alertDismissed } from './signals.ts'
