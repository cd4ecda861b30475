export { alertRaised, alertSettled } from './signals.ts'
