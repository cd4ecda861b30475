export { launchFinished } from './signals.ts'
