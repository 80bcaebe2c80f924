import { expose } from 'comlink';
import { installTransferHandlers } from '../../src/contracts/calls.ts';
import { createStoredSearch } from './stored-search.ts';

installTransferHandlers();
expose(createStoredSearch());
