export { SeedingCard } from './seeding-card.tsx'
