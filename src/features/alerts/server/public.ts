export { alertRaised, alertSettled } from './signals.ts'
export { openAlerts } from './open-alerts.ts'
