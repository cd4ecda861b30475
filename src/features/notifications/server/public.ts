export { alertDismissed } from './signals.ts'
