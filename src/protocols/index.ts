export { findProtocol, PROTOCOLS } from './list.ts';
export type { Protocol, ProtocolReason } from './protocol.ts';
export { SETTINGS } from './settings.ts';
export type { ProtocolSettings, SettingDefinition } from './settings.ts';
