export { openBotTables } from './database/botTables.ts'
export { databaseTrouble } from './database/databaseTrouble.ts'
export { DatabaseWatch, type LongTransaction } from './database/databaseWatch.ts'
export { expectSystem } from './database/expectSystem.ts'
export { databaseName, eachHostOf, FleetConnection, InDoubt, mayPass } from './database/fleetConnection.ts'
export {
  type Durability,
  expectFit,
  type FleetFitness,
  fitnessOf,
  lackingOf,
  notDurableAnyMore,
  systemOf,
} from './database/fleetFitness.ts'
export { FleetServers } from './database/fleetServers.ts'
export { SharedConnections } from './database/sharedConnections.ts'
export type { ClaimedBot } from './host/botClaims.ts'
export { FleetChores, firstHostOf } from './host/fleetChores.ts'
export { FleetHost, type FleetSight, setOf } from './host/fleetHost.ts'
export { releasesOf } from './host/releases.ts'
export { ServiceHearing, type ServiceTraffic } from './host/serviceHearing.ts'
export { BotCopies } from './journal/botCopies.ts'
export type { Holding } from './journal/fencedCommits.ts'
export { type EntryVerdict, FencedService } from './journal/fencedService.ts'
export { FleetCopy } from './journal/fleetCopy.ts'
export type { FleetFact } from './journal/fleetFact.ts'
export { FleetJournal } from './journal/fleetJournal.ts'
export { heldFor, holdBot } from './journal/heldBots.ts'
export { JournalBases, type PlayedJournal } from './journal/journalBases.ts'
export type { JournalPlace } from './journal/journalPlace.ts'
export { SEND_WITHIN } from './journal/kept.ts'
export { type BotRow, botRow, freeBot, holdFor, mendBot, replaceJournal } from './journal/mendBot.ts'
export { RecordSeal } from './journal/recordSeal.ts'
export { placeIn } from './journal/takenBase.ts'
export { CONTROL, giveFirstOrder, isSameOrder, readOrder, refusalOf, writeOrder } from './together/controlOrders.ts'
export { FleetEntries } from './together/fleetEntries.ts'
export { FleetFrames, type SeenFrame } from './together/fleetFrames.ts'
export { FleetOrders, orderInFleet } from './together/fleetOrders.ts'
export { FleetSiblings } from './together/fleetSiblings.ts'
export { FleetWakes } from './together/fleetWakes.ts'
export { type Obedience, ObedienceWatch, readObedience } from './together/obedience.ts'
export { type ControlOrder, type OrderKey, OrderSigner } from './together/orderSigner.ts'
