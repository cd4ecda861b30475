export { alertRaised, alertSettled } from './signals.ts'
export { openAlerts } from './apply-alerts.ts'
