export { startSeeding } from './jobs/start-seeding.job.ts'
