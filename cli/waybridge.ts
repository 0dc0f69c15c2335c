#!/usr/bin/env node
import { loadChunk } from '../server/start/load-chunk.ts';

loadChunk('main.js');
