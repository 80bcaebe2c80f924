import { expose } from 'comlink';
import { installTransferHandlers } from '../../src/contracts/calls.ts';
import { createScore } from './score.ts';

installTransferHandlers();
expose(createScore());
