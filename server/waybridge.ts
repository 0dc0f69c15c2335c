#!/usr/bin/env node
import { loadChunk } from './start/load-chunk.ts';

loadChunk('main.js');
